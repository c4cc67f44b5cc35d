// Tries every rule on a server and tells how each went. The entry of the package.

import { CHECKLIST } from './checklist.ts';
import type { Credential } from './credential.ts';
import { HttpClient, NoAnswer } from './http-client.ts';
import { Patience } from './patience.ts';
import type { Level, Rule } from './rule.ts';
import { NotTestable, type Survey, takeSurvey } from './survey.ts';
import { Untested, Violation } from './violation.ts';
import { type Waiver, waiverFor } from './waiver.ts';

export { basic, bearer, type Credential, token } from './credential.ts';
export { NoAnswer } from './http-client.ts';
export { ToldToWait } from './patience.ts';
export type { Level } from './rule.ts';
export type { Waiver } from './waiver.ts';
export { NotTestable };

/** `fail` is a MUST that is broken, `warning` a SHOULD, `waived` a broken rule that the operator knows about. */
export type Outcome = 'ok' | 'fail' | 'warning' | 'waived' | 'skipped';

export interface Finding {
  readonly section: string;
  readonly level: Level;
  readonly title: string;
  readonly outcome: Outcome;
  /** What was seen, or why the rule was not tried. Empty when all is well. */
  readonly reason: string;
}

export interface ConformanceOptions {
  /** Of the server, its discovery (`…/taxii2/`) or an API root. */
  readonly url: URL;
  readonly credential?: Credential;
  /** Id of the collection to read. By default the first that can be read and is not empty. */
  readonly collection?: string | undefined;
  /** Id of a collection to write to. By default nothing is written. */
  readonly writable?: string | undefined;
  /** How many objects are read at most; 1,000 by default. */
  readonly limit?: number;
  /** For each answer; 10 seconds by default. */
  readonly timeoutMs?: number;
  /** How long is waited in all for a server that says "later"; 60 seconds by default. */
  readonly waitSeconds?: number;
  readonly waivers?: readonly Waiver[];
  /** Told of each finding as it comes. */
  readonly onFinding?: (finding: Finding) => void;
}

export interface Conformance {
  /** Path of the API root that was tried. */
  readonly apiRoot: string;
  readonly collection: string | undefined;
  readonly findings: readonly Finding[];
  readonly requests: number;
}

/** How often a rule is tried again because the collection changed while it was tried. */
const MOST_REPEATS = 2;

/** The server is taken for gone after so many rules without an answer in a row. */
const MOST_SILENT = 5;

/**
 * @throws NotTestable when the server does not let us in or does not say where its API root is, and when a waiver names
 *   no rule; NoAnswer when the server cannot be reached; ToldToWait when it says "later" and there is no time for it.
 */
export async function checkConformance(options: ConformanceOptions): Promise<Conformance> {
  const { url, credential = {}, limit = 1_000, timeoutMs = 10_000, waitSeconds = 60, waivers = [] } = options;
  const unknown = waivers.find(({ rule }) => CHECKLIST.every(({ title }) => title !== rule));
  if (unknown !== undefined) throw new NotTestable(`no rule has the title ${JSON.stringify(unknown.rule)}`);

  const patience = new Patience(waitSeconds);
  const http = new HttpClient({ origin: new URL(url.origin), credential, timeoutMs, patience });
  try {
    const survey = await takeSurvey(http, { ...options, limit });
    const findings: Finding[] = [];
    let silent = 0;
    for (const rule of CHECKLIST) {
      const { finding, silence } = await tryRule(rule, survey, waivers);
      findings.push(finding);
      options.onFinding?.(finding);
      silent = silence === undefined ? 0 : silent + 1;
      if (silence !== undefined && silent >= MOST_SILENT) throw silence;
    }
    return {
      apiRoot: survey.root,
      collection: survey.collection,
      findings,
      requests: http.requests,
    };
  } finally {
    http.close();
  }
}

async function tryRule(
  rule: Rule,
  survey: Survey,
  waivers: readonly Waiver[],
): Promise<{ readonly finding: Finding; readonly silence?: NoAnswer }> {
  const found = (outcome: Outcome, reason = ''): Finding => {
    const { section, level, title } = rule;
    return { section, level, title, outcome, reason };
  };
  const broken = (violation: Violation): Finding => {
    const waiver = waiverFor(rule, violation, survey, waivers);
    if (waiver !== undefined) return found('waived', `${violation.message} (${waiver.reason})`);
    return found(rule.level === 'MUST' ? 'fail' : 'warning', violation.message);
  };
  for (let repeats = 0; ; repeats++) {
    try {
      await rule.run(survey);
      return { finding: found('ok') };
    } catch (error) {
      if (error instanceof Untested) return { finding: found('skipped', error.message) };
      if (error instanceof NoAnswer) return { finding: broken(new Violation(error.message)), silence: error };
      if (!(error instanceof Violation)) throw error;
      // What looks like a fault may be an object that was added or changed between two requests.
      const isFinal = rule.writes === true || repeats === MOST_REPEATS || (await survey.isUnchanged());
      if (isFinal) return { finding: broken(error) };
    }
  }
}
