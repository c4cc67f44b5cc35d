// Adding objects to a collection (TAXII 2.1 §5.5), and the status of that (§4.3): everything is taken in before the
// answer leaves, so that a status is complete from the start.

import { randomUUID } from 'node:crypto';
import { ServiceError } from '../domain/errors.ts';
import type { Clock } from '../domain/instant.ts';
import type { PatternTerm } from '../feed/pattern-reader.ts';
import { stixContext } from '../feed/stix-ids.ts';
import { readSubmission, type SubmittedObject } from '../feed/stix-submission.ts';
import { formatTimestamp } from '../feed/timestamp.ts';
import type { Caller } from '../gateway/caller.ts';
import type { Commands, EventResult, Reporter } from '../pipeline/commands.ts';
import type { RecallStatus, StatusCommands } from '../pipeline/statuses.ts';
import type { IndicatorReader, Installation } from '../store/stores.ts';
import { toReporter } from './ingest-mapping.ts';
import { readEnvelope } from './taxii-envelope.ts';

export interface SubmissionDeps {
  readonly indicators: Pick<IndicatorReader, 'record'>;
  readonly installation: Installation;
  readonly commands: Pick<Commands, 'ingest'> & StatusCommands;
  readonly recallStatus: RecallStatus;
  readonly clock: Clock;
}

export interface Submissions {
  /** The status resource of what became of an envelope. */
  submit(caller: Caller, body: Uint8Array): Promise<object>;
  /** The JSON of a status resource; rejects with `not_found` for one that is not the caller's, or forgotten. */
  status(caller: Caller, id: string): Promise<string>;
}

/** What the pipeline takes in one transaction. */
const BATCH = 1_000;

export function createSubmissions(deps: SubmissionDeps): Submissions {
  const { commands, recallStatus, installation, clock } = deps;
  const stix = stixContext(installation.secret);

  async function take(body: Uint8Array, caller: Caller): Promise<readonly Outcome[]> {
    const reporter = toReporter(caller);
    const submitted = await readSubmission(readEnvelope(body), {
      stix,
      source: reporter.source,
      knownIndicator: (id) => findIndicator(deps.indicators, id, caller),
    });
    const results = await ingest(submitted, reporter);
    let at = 0;
    return submitted.map((object): Outcome => {
      if ('failure' in object) return { object, failed: true, message: object.failure };
      const own = results.slice(at, at + object.events.length);
      at += own.length;
      return { object, ...outcomeOf(own) };
    });
  }

  /** The results of all events of all objects, in their order. */
  async function ingest(submitted: readonly SubmittedObject[], reporter: Reporter): Promise<EventResult[]> {
    const events = submitted.flatMap((object) => ('events' in object ? object.events : []));
    const results: EventResult[] = [];
    for (let start = 0; start < events.length; start += BATCH) {
      results.push(...(await commands.ingest(events.slice(start, start + BATCH), reporter)));
    }
    return results;
  }

  return {
    submit: async (caller, body) => {
      const requested = clock();
      const status = statusResource(randomUUID(), requested, await take(body, caller));
      await commands.keepStatus(status.id, caller.account, JSON.stringify(status));
      return status;
    },
    status: async (caller, id) => {
      const status = await recallStatus(id, caller.account);
      if (status !== undefined) return status;
      throw new ServiceError('not_found', 'no such status', { reason: 'STATUS_NOT_FOUND' });
    },
  };
}

/** What became of one object. */
interface Outcome {
  readonly object: SubmittedObject;
  readonly failed: boolean;
  readonly message?: string;
}

/**
 * An object that is known already is a success (§5.5), which says so. One event that is refused is a failure: what the
 * object said is not taken as a whole.
 */
function outcomeOf(results: readonly EventResult[]): Omit<Outcome, 'object'> {
  const count = (wanted: EventResult['status']) => results.filter(({ status }) => status === wanted).length;
  const refused = count('REFUSED');
  if (refused > 0) {
    const reason = results.find(({ status }) => status === 'REFUSED')?.reason ?? 'unknown';
    const share =
      refused < results.length ? `, ${refused} of ${results.length} values; the others are taken` : '';
    return { failed: true, message: `refused: ${reason}${share}` };
  }
  const known = count('DUPLICATE');
  if (known === 0) return { failed: false };
  const what = known === results.length ? 'this' : `${known} of ${results.length} values`;
  return { failed: false, message: `${what} had been reported before and does not count again` };
}

/** §4.3.1: the counts add up, and empty lists are left out. */
function statusResource(id: string, requestedAt: number, outcomes: readonly Outcome[]) {
  const requested = formatTimestamp(requestedAt * 1_000);
  const details = outcomes.map(({ object, failed, message }, index) => ({
    failed,
    detail: {
      // What has no id is no STIX object, and named by its place; without a version the request's time stands for it.
      id: object.id ?? `objects[${index}]`,
      version: object.version ?? requested,
      ...(message !== undefined && { message }),
    },
  }));
  const successes = details.filter(({ failed }) => !failed).map(({ detail }) => detail);
  const failures = details.filter(({ failed }) => failed).map(({ detail }) => detail);
  return {
    id,
    status: 'complete',
    request_timestamp: requested,
    total_count: details.length,
    success_count: successes.length,
    ...(successes.length > 0 && { successes }),
    failure_count: failures.length,
    ...(failures.length > 0 && { failures }),
    pending_count: 0,
  };
}

async function findIndicator(
  indicators: Pick<IndicatorReader, 'record'>,
  stixId: string,
  { ceiling }: Caller,
): Promise<PatternTerm | undefined> {
  const id = /^indicator--([0-9a-f-]{36})$/.exec(stixId)?.[1];
  const stored = id === undefined ? undefined : await indicators.record(id, ceiling);
  if (stored === undefined || stored.record.indicator.state === 'RAW') return undefined;
  const { type, value } = stored.record.indicator;
  return { type, value };
}
