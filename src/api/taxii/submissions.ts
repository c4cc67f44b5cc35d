// Submissions: objects that clients add to a collection (TAXII 2.1 §5.5), and their status (§4.3). All objects are ingested
// before the answer, so a status is complete from the start.

import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../domain/errors.ts';
import type { SensorEvent } from '../../domain/indicator/sensor-event.ts';
import { type Clock, DAY, type Instant } from '../../domain/instant.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import type { Caller } from '../../gateway/caller.ts';
import { type CreateRateLimiter, createMemoryLimiter, type RatePolicy } from '../../gateway/rate-limit.ts';
import type { VolumeLimits } from '../../gateway/volume-limits.ts';
import type { Commands } from '../../pipeline/commands.ts';
import type { EventResult, Reporter } from '../../pipeline/reporter.ts';
import type { RecallStatus, StatusCommands } from '../../pipeline/statuses.ts';
import { indicatorIdOf, stixContext } from '../../stix/objects/stix-object.ts';
import type { StixObject } from '../../stix/submission/stix-members.ts';
import { type KnownIndicator, readSubmission } from '../../stix/submission/stix-submission.ts';
import type { IndicatorReader } from '../../store/indicators.ts';
import type { Installation } from '../../store/stores.ts';
import { toReporter } from '../reporter.ts';
import { readEnvelope } from './envelope.ts';
import { type KeptStatus, keptStatus, type Outcome, statusResource, type Verdict } from './statuses.ts';

export interface SubmissionDeps {
  readonly indicators: Pick<IndicatorReader, 'record'>;
  readonly installation: Installation;
  readonly commands: Pick<Commands, 'ingest'> & StatusCommands;
  readonly recallStatus: RecallStatus;
  readonly clock: Clock;
  readonly spendEvents: VolumeLimits['spendEvents'];
  /** The marking of an object that has none. */
  readonly defaultTlp: TlpMarking;
  /** The bytes that one account may submit in a day. Default: 1 GiB. */
  readonly dailyBytes?: number;
  /** Keeps what accounts have submitted. Default: in the memory of this thread. */
  readonly createLimiter?: CreateRateLimiter;
}

export interface Submissions {
  /** Resolves to the status resource; rejects with `resource_exhausted` when the account is over its daily volume. */
  submit(caller: Caller, body: Uint8Array): Promise<object>;
  /** Resolves to the JSON of the status resource; rejects with `not_found` for a status of another account or a forgotten one. */
  status(caller: Caller, id: string): Promise<string>;
}

/** Events that the pipeline takes in one transaction. */
const BATCH = 1_000;

export function createSubmissions(deps: SubmissionDeps): Submissions {
  const { commands, recallStatus, installation, clock } = deps;
  const stix = stixContext(installation.secret);
  const spendVolume = createVolumeLimit(deps);

  async function take(
    objects: readonly StixObject[],
    caller: Caller,
    now: Instant,
  ): Promise<readonly Outcome[]> {
    const reporter = toReporter(caller);
    const outcomes = await readSubmission(objects, {
      stix,
      source: reporter.source,
      now,
      knownIndicator: (id) => findIndicator(deps.indicators, id, caller),
      defaultTlp: deps.defaultTlp,
    });
    const events = outcomes.flatMap((object) => ('events' in object ? object.events : []));
    await deps.spendEvents(caller.id, events.length);
    const results = await ingest(events, reporter);
    let at = 0;
    return outcomes.map((object): Outcome => {
      const { id, version } = object;
      if ('failure' in object) return { id, version, verdict: { failed: true, message: object.failure } };
      const own = results.slice(at, at + object.events.length);
      at += own.length;
      return { id, version, verdict: verdictOf(own) };
    });
  }

  /** The results of the events, in their order. */
  async function ingest(events: readonly SensorEvent[], reporter: Reporter): Promise<EventResult[]> {
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
      await spendVolume(caller.account, body.length);
      const kept = keptStatus(requested, await take(objects, caller, requested));
      const id = randomUUID();
      await commands.keepStatus(id, caller.account, JSON.stringify(kept));
      return statusResource(id, kept);
    },
    status: async (caller, id) => {
      const text = await recallStatus(id, caller.account);
      if (text === undefined)
        throw new ServiceError('not_found', 'no such status', { reason: 'STATUS_NOT_FOUND' });
      const kept: KeptStatus = JSON.parse(text);
      return JSON.stringify(statusResource(id, kept));
    },
  };
}

/**
 * An object whose events are all known is a success (§5.5), with a message. An object with a refused event is a failure,
 * because it was not ingested as a whole.
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
): Promise<KnownIndicator | undefined> {
  const id = indicatorIdOf(stixId);
  const indicator = id === undefined ? undefined : (await indicators.record(id, ceiling))?.indicator;
  if (indicator === undefined || indicator.state === 'RAW') return undefined;
  const { type, value, tlp } = indicator;
  return { type, value, tlp };
}

/** 128 bodies of the greatest length, or more than a million bodies of one object. */
const DAILY_BYTES = 1_024 ** 3;

/** Bytes that a status takes, however small the submission. */
const STATUS_BYTES = 512;

/**
 * Bounds what one account submits in a day, because statuses are kept for a day. The function that it returns rejects
 * with ServiceError `resource_exhausted`.
 */
function createVolumeLimit({
  clock,
  dailyBytes = DAILY_BYTES,
  createLimiter = (policy: RatePolicy) => createMemoryLimiter(policy, clock),
}: Pick<SubmissionDeps, 'clock' | 'dailyBytes' | 'createLimiter'>): (
  account: string,
  bytes: number,
) => Promise<void> {
  const limit = { perMinute: Math.ceil((dailyBytes * 60_000) / DAY), burst: dailyBytes };
  const volumes = createLimiter({ name: 'account', limit });
  return async (account, bytes) => {
    const { allowed, retryAfterMs } = await volumes.take(account, bytes + STATUS_BYTES);
    if (allowed) return;
    const message = `the account is over its volume of ${dailyBytes} bytes; all of it is free again within a day`;
    throw new ServiceError('resource_exhausted', message, {
      reason: 'SUBMISSION_VOLUME_EXCEEDED',
      metadata: { subject: 'account', dailyBytes: String(dailyBytes) },
      retryAfterMs,
    });
  };
}
