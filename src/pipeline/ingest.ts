// Ingest of sensor events: validated, deduplicated, merged and queued in one durable transaction.

import { indicatorId } from '../domain/indicator/identity.ts';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import { mergeObservation } from '../domain/indicator/merge.ts';
import type { Observation, SensorEvent } from '../domain/indicator/sensor-event.ts';
import type { Clock, Instant } from '../domain/instant.ts';
import { isVisible } from '../domain/tlp.ts';
import { answerOnce } from '../store/rules/idempotency.ts';
import type { Stores, WriteTransaction } from '../store/stores.ts';
import { type IsPublicSuffix, publicSuffixesFor } from './breadth.ts';
import { eventKey, type ObserveOptions, observe } from './observe.ts';
import type { EncodeIndicator } from './publish.ts';
import type { EventRefusalReason, EventResult, Reporter } from './reporter.ts';

export interface IngestParts {
  readonly stores: Stores;
  readonly encodeIndicator: EncodeIndicator;
  readonly clock: Clock;
  readonly options: ObserveOptions;
  /** Called after each durable batch, so that a worker in this process need not poll. */
  readonly onQueued?: () => void;
}

/** A validated event: refused, or ready to be merged into its indicator. */
type ValidatedEvent =
  | { readonly refused: EventRefusalReason }
  | { readonly key: string; readonly indicatorId: string; readonly observation: Observation };

interface Batch {
  readonly events: readonly SensorEvent[];
  /** In the order of the events. */
  readonly validated: readonly ValidatedEvent[];
  readonly reporter: Reporter;
  readonly now: Instant;
}

/**
 * Stores a batch of at most 1,000 well-formed events in one transaction. Resolves when it is durable.
 * The results are in the order of the events.
 * @param requestId a repeat of an id gets the answer of the first request; another batch under it is
 * `invalid_argument`.
 */
export type Ingest = (
  events: readonly SensorEvent[],
  reporter: Reporter,
  requestId?: string,
) => Promise<readonly EventResult[]>;

export function createIngest(parts: IngestParts): Ingest {
  const { stores } = parts;

  return async (events, reporter, requestId) => {
    const isPublicSuffix = await publicSuffixesFor(events);
    const now = parts.clock();
    const validated = events.map((event) => validate(event, { reporter, now, isPublicSuffix }, parts));
    const request = { scope: ['ingest', reporter.account, reporter.group], requestId, body: events };
    const results = await stores.write((tx) =>
      answerOnce(
        tx,
        request,
        now,
        () => mergeBatch(tx, { events, validated, reporter, now }, parts),
        (answer) => answer.some(({ status }) => status === 'ACCEPTED'),
      ),
    );
    parts.onQueued?.();
    return results;
  };
}

interface ValidationContext {
  readonly reporter: Reporter;
  readonly now: Instant;
  readonly isPublicSuffix: IsPublicSuffix;
}

function validate(
  event: SensorEvent,
  { reporter, now, isPublicSuffix }: ValidationContext,
  parts: IngestParts,
): ValidatedEvent {
  const observed = observe(event, reporter, now, parts.options, isPublicSuffix);
  if (!observed.ok) return { refused: observed.reason };
  const { observation } = observed;
  return {
    key: eventKey(event, reporter),
    indicatorId: indicatorId(parts.stores.installation.secret, observation.type, observation.value),
    observation,
  };
}

async function mergeBatch(
  tx: WriteTransaction,
  { events, validated, reporter, now }: Batch,
  parts: IngestParts,
): Promise<EventResult[]> {
  const usable = validated.filter((one) => 'key' in one);
  const isNew = await tx.rememberEvents(
    usable.map((one) => one.key),
    now,
  );
  const fresh = new Set(usable.filter((_, index) => isNew[index]));
  const stored = await tx.load([...new Set([...fresh].map((one) => one.indicatorId))]);
  const createdAt = await tx.creationInstant(now);

  const records = new Map<string, IndicatorRecord>();
  const results = validated.map((one, index): EventResult => {
    const eventId = events[index]?.eventId ?? '';
    if ('refused' in one) return { eventId, status: 'REFUSED', reason: one.refused };
    const { indicatorId } = one;
    if (!fresh.has(one)) return { eventId, status: 'DUPLICATE', indicatorId };
    const current = records.get(indicatorId) ?? stored.get(indicatorId)?.record;
    const merged = mergeObservation(current, one.observation, { id: indicatorId, now, createdAt });
    records.set(indicatorId, merged);
    const accepted = { eventId, status: 'ACCEPTED', indicatorId } as const;
    return isKnownWithdrawn(merged, reporter) ? { ...accepted, withdrawn: true } : accepted;
  });

  await tx.save(
    [...records.values()].map((record) => ({ record, document: parts.encodeIndicator(record.indicator) })),
  );
  await tx.enqueue([...records.keys()], now);
  return results;
}

/** A reporter must not learn that an indicator above its ceiling was withdrawn. */
function isKnownWithdrawn({ revokedAt, indicator }: IndicatorRecord, { ceiling }: Reporter): boolean {
  return revokedAt !== undefined && isVisible(indicator.tlp, ceiling);
}
