// Tests every rule on a server and reports the outcome of each. The entry of the package.

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

/** `fail`: a broken MUST. `warning`: a broken SHOULD. `waived`: a broken rule that the operator has waived. */
export type Outcome = 'ok' | 'fail' | 'warning' | 'waived' | 'skipped';

export interface Finding {
  readonly section: string;
  readonly level: Level;
  readonly title: string;
  readonly outcome: Outcome;
  /** What was seen, or why the rule was not tested. Empty if the rule holds. */
  readonly reason: string;
}

export interface ConformanceOptions {
  /** URL of the server, of its discovery (`…/taxii2/`) or of an API root. */
  readonly url: URL;
  readonly credential?: Credential;
  /** Id of the collection to read. By default the first collection that is readable and not empty. */
  readonly collection?: string | undefined;
  /** Id of a collection to write to. By default nothing is written. */
  readonly writable?: string | undefined;
  /** Maximum number of objects to read. Default: 1,000. */
  readonly limit?: number;
  /** Time limit of one answer. Default: 10 seconds. */
  readonly timeoutMs?: number;
  /** Total time to wait for a server that answers "later". Default: 60 seconds. */
  readonly waitSeconds?: number;
  readonly waivers?: readonly Waiver[];
  /** Called with each finding when it is made. */
  readonly onFinding?: (finding: Finding) => void;
}

export interface Conformance {
  /** Path of the tested API root. */
  readonly apiRoot: string;
  readonly collection: string | undefined;
  readonly findings: readonly Finding[];
  readonly requests: number;
}

/** How often a rule is tested again if the collection changed during the test. */
const MOST_REPEATS = 2;

/** After this number of rules in a row without an answer, the server counts as gone. */
const MOST_SILENT = 5;

/**
 * @throws NotTestable if the server refuses the credential, names no API root, or a waiver names no rule; NoAnswer if the
 *   server cannot be reached; ToldToWait if the server answers "later" and no time is left.
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
      // An object that was added or changed between two requests may look like a fault.
      const isFinal = rule.writes === true || repeats === MOST_REPEATS || (await survey.isUnchanged());
      if (isFinal) return { finding: broken(error) };
    }
  }
}
