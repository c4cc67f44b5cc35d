// Adding objects to a collection (TAXII 2.1 §5.5), and the status of that (§4.3): everything is taken in before the
// answer leaves, so that a status is complete from the start.

import { randomUUID } from 'node:crypto';
import { invalidArgument, ServiceError } from '../domain/errors.ts';
import type { Clock } from '../domain/instant.ts';
import type { PatternTerm } from '../feed/pattern-reader.ts';
import { stixContext } from '../feed/stix-ids.ts';
import { readSubmission, type StixObject, type SubmittedObject } from '../feed/stix-submission.ts';
import { formatTimestamp } from '../feed/timestamp.ts';
import type { Caller } from '../gateway/caller.ts';
import type { Commands, EventResult, Reporter } from '../pipeline/commands.ts';
import type { StatusCommands } from '../pipeline/statuses.ts';
import type { IndicatorReader, Installation } from '../store/stores.ts';
import { toReporter } from './ingest-mapping.ts';
import { HttpError } from './rest-errors.ts';

export interface SubmissionDeps {
  readonly indicators: Pick<IndicatorReader, 'record'>;
  readonly installation: Installation;
  readonly commands: Pick<Commands, 'ingest'> & StatusCommands;
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
  const { commands, installation, clock } = deps;
  const stix = stixContext(installation.secret);

  async function take(objects: readonly StixObject[], caller: Caller): Promise<StatusDetail[]> {
    const reporter = toReporter(caller);
    const submitted = await readSubmission(objects, {
      stix,
      source: reporter.source,
      knownIndicator: (id) => findIndicator(deps.indicators, id, caller),
    });
    const results = await ingest(submitted, reporter);
    let at = 0;
    return submitted.map((object): StatusDetail => {
      const { id, version } = object;
      if ('failure' in object) return { id, version, failure: object.failure };
      const own = results.slice(at, at + object.events.length);
      at += own.length;
      const refused = own.find(({ status }) => status === 'REFUSED');
      return refused === undefined
        ? { id, version }
        : { id, version, failure: `refused: ${refused.reason ?? 'unknown'}` };
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
      const objects = parseEnvelope(body);
      const requested = clock();
      const status = statusResource(randomUUID(), requested, await take(objects, caller));
      await commands.keepStatus(status.id, caller.account, JSON.stringify(status));
      return status;
    },
    status: async (caller, id) => {
      const status = await commands.recallStatus(id, caller.account);
      if (status !== undefined) return status;
      throw new ServiceError('not_found', 'no such status', { reason: 'STATUS_NOT_FOUND' });
    },
  };
}

interface StatusDetail {
  readonly id: string;
  readonly version: string;
  readonly failure?: string;
}

/** §4.3.1: the counts add up, and empty lists are left out. */
function statusResource(id: string, requestedAt: number, details: readonly StatusDetail[]) {
  const successes = details.filter(({ failure }) => failure === undefined);
  const failures = details
    .filter(({ failure }) => failure !== undefined)
    .map(({ id, version, failure }) => ({ id, version, message: failure }));
  return {
    id,
    status: 'complete',
    request_timestamp: formatTimestamp(requestedAt * 1_000),
    total_count: details.length,
    success_count: successes.length,
    ...(successes.length > 0 && { successes }),
    failure_count: failures.length,
    ...(failures.length > 0 && { failures }),
    pending_count: 0,
  };
}

/** @throws `invalid_argument` for what is not JSON, 422 for what is no envelope (§3.7). */
function parseEnvelope(body: Uint8Array): readonly StixObject[] {
  let envelope: unknown;
  try {
    envelope = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw invalidArgument([{ field: 'body', description: 'is not JSON' }], 'MALFORMED_JSON');
  }
  const objects = isObject(envelope) ? envelope.objects : undefined;
  if (!Array.isArray(objects) || objects.length === 0 || !objects.every(isObject)) {
    throw new HttpError(
      422,
      'invalid_argument',
      'the body is not an envelope with STIX objects',
      'NOT_AN_ENVELOPE',
    );
  }
  if (isObject(envelope) && envelope.type === 'bundle') {
    throw new HttpError(422, 'invalid_argument', 'an envelope is wanted, not a bundle', 'NOT_AN_ENVELOPE');
  }
  return objects;
}

function isObject(value: unknown): value is StixObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
