// Adding objects to a collection (TAXII 2.1 §5.5), and the status of that (§4.3): everything is taken in before the
// answer leaves, so that a status is complete from the start.

import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../domain/errors.ts';
import type { Clock, Instant } from '../../domain/instant.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { Commands } from '../../pipeline/commands.ts';
import type { EventResult, Reporter } from '../../pipeline/reporter.ts';
import type { RecallStatus, StatusCommands } from '../../pipeline/statuses.ts';
import { indicatorIdOf, stixContext } from '../../stix/objects/stix-object.ts';
import type { PatternTerm } from '../../stix/pattern/pattern-reader.ts';
import type { StixObject } from '../../stix/submission/stix-members.ts';
import { type JudgedObject, readSubmission } from '../../stix/submission/stix-submission.ts';
import type { IndicatorReader, Installation } from '../../store/stores.ts';
import { toReporter } from '../rest/ingest-mapping.ts';
import { readEnvelope } from './envelope.ts';
import { type KeptStatus, keptStatus, type Outcome, statusResource, type Verdict } from './statuses.ts';
import { createSubmissionVolume } from './volume.ts';

export interface SubmissionDeps {
  readonly indicators: Pick<IndicatorReader, 'record'>;
  readonly installation: Installation;
  readonly commands: Pick<Commands, 'ingest'> & StatusCommands;
  readonly recallStatus: RecallStatus;
  readonly clock: Clock;
  /** What one account may submit; 1 GiB without. */
  readonly dailyBytes?: number;
}

export interface Submissions {
  /** The status resource of what became of an envelope; rejects with `resource_exhausted` when it is one too many. */
  submit(caller: Caller, body: Uint8Array): Promise<object>;
  /** The JSON of a status resource; rejects with `not_found` for one that is not the caller's, or forgotten. */
  status(caller: Caller, id: string): Promise<string>;
}

/** What the pipeline takes in one transaction. */
const BATCH = 1_000;

export function createSubmissions(deps: SubmissionDeps): Submissions {
  const { commands, recallStatus, installation, clock } = deps;
  const stix = stixContext(installation.secret);
  const volume = createSubmissionVolume(clock, deps.dailyBytes);

  async function take(
    objects: readonly StixObject[],
    caller: Caller,
    now: Instant,
  ): Promise<readonly Outcome[]> {
    const reporter = toReporter(caller);
    const judged = await readSubmission(objects, {
      stix,
      source: reporter.source,
      now,
      knownIndicator: (id) => findIndicator(deps.indicators, id, caller),
    });
    const results = await ingest(judged, reporter);
    let at = 0;
    return judged.map((object): Outcome => {
      const { id, version } = object;
      if ('failure' in object) return { id, version, verdict: { failed: true, message: object.failure } };
      const own = results.slice(at, at + object.events.length);
      at += own.length;
      return { id, version, verdict: verdictOf(own) };
    });
  }

  /** The results of all events of all objects, in their order. */
  async function ingest(judged: readonly JudgedObject[], reporter: Reporter): Promise<EventResult[]> {
    const events = judged.flatMap((object) => ('events' in object ? object.events : []));
    const results: EventResult[] = [];
    for (let start = 0; start < events.length; start += BATCH) {
      results.push(...(await commands.ingest(events.slice(start, start + BATCH), reporter)));
    }
    return results;
  }

  return {
    submit: async (caller, body) => {
      const requested = clock();
      const objects = readEnvelope(body);
      volume.spend(caller.account, body.length);
      const kept = keptStatus(requested, await take(objects, caller, requested));
      const id = randomUUID();
      await commands.keepStatus(id, caller.account, JSON.stringify(kept));
      return statusResource(id, kept);
    },
    status: async (caller, id) => {
      const text = await recallStatus(id, caller.account);
      if (text === undefined)
        throw new ServiceError('not_found', 'no such status', { reason: 'STATUS_NOT_FOUND' });
      const kept: KeptStatus | object = JSON.parse(text);
      // Once the resource itself was kept.
      return 'verdicts' in kept ? JSON.stringify(statusResource(id, kept)) : text;
    },
  };
}

/**
 * An object that is known already is a success (§5.5), which says so, as does one of which nothing will be published.
 * One event that is refused is a failure: what the object said is not taken as a whole.
 */
function verdictOf(results: readonly EventResult[]): Verdict {
  const count = (wanted: EventResult['status']) => results.filter(({ status }) => status === wanted).length;
  const refused = count('REFUSED');
  if (refused > 0) {
    const reason = results.find(({ status }) => status === 'REFUSED')?.reason ?? 'unknown';
    const share =
      refused < results.length ? `, ${refused} of ${results.length} values; the others are taken` : '';
    return { failed: true, message: `refused: ${reason}${share}` };
  }
  const message = notesOf(count('DUPLICATE'), results).join('; ');
  return { failed: false, ...(message !== '' && { message }) };
}

function notesOf(known: number, results: readonly EventResult[]): readonly string[] {
  const all = results.length;
  const notes: string[] = [];
  if (known > 0) {
    const what = known === all ? 'this' : `${known} of ${all} values`;
    notes.push(`${what} had been reported before and does not count again`);
  }
  const withdrawn = results.filter((result) => result.withdrawn === true).length;
  if (withdrawn > 0) {
    const what = withdrawn === all ? '' : `${withdrawn} of ${all} values `;
    notes.push(`${what}withdrawn by the operator: kept, not published`);
  }
  return notes;
}

async function findIndicator(
  indicators: Pick<IndicatorReader, 'record'>,
  stixId: string,
  { ceiling }: Caller,
): Promise<PatternTerm | undefined> {
  const id = indicatorIdOf(stixId);
  const stored = id === undefined ? undefined : await indicators.record(id, ceiling);
  if (stored === undefined || stored.record.indicator.state === 'RAW') return undefined;
  const { type, value } = stored.record.indicator;
  return { type, value };
}
