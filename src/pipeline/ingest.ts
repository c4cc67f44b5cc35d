// Ingest of sensor events: validated, deduplicated, merged and queued in one durable transaction.

import { NOBODY } from '../domain/audience.ts';
import { namedTogether } from '../domain/evidence/links.ts';
import { type Growth, growthByKnown, growthByNew } from '../domain/indicator/growth.ts';
import { indicatorId } from '../domain/indicator/identity.ts';
import type { Observation, SensorEvent } from '../domain/indicator/sensor-event.ts';
import { type Views, viewFor, withReport } from '../domain/indicator/views.ts';
import { type Clock, dayOf, type Instant } from '../domain/instant.ts';
import { answerOnce } from '../store/rules/idempotency.ts';
import type { Stores, WriteTransaction } from '../store/stores.ts';
import { activityOf } from './activity.ts';
import { type IsPublicSuffix, publicSuffixesFor } from './breadth.ts';
import { EvidenceChanges, type LinkedReport } from './evidence-changes.ts';
import { eventKey, type ObserveOptions, observe, sessionKey } from './observe.ts';
import { type ProcessAtOnceParts, processAtOnce } from './process-at-once.ts';
import type { EncodeIndicator } from './publish.ts';
import { LinkNews, type RenderLink } from './publish-links.ts';
import { createAllowance, type QuotaLimits, type QuotaRefusalReason } from './quota.ts';
import type { EventRefusalReason, EventResult, Reporter } from './reporter.ts';
import { ViewChanges } from './view-changes.ts';

export interface IngestOptions extends ObserveOptions {
  readonly quota: QuotaLimits;
}

export interface IngestParts {
  readonly stores: Stores;
  readonly encodeIndicator: EncodeIndicator;
  readonly clock: Clock;
  /** The time beyond which an observation lies in the future. It may be ahead of `clock`. */
  readonly observedBy: Clock;
  readonly options: IngestOptions;
  /** Absent where everything is left to the worker. */
  readonly process?: ProcessAtOnceParts;
  /** Absent where links stay out of the feed. */
  readonly renderLink?: RenderLink;
  /** Called after each durable batch that queued jobs, so that a worker in this process need not poll. */
  readonly onQueued?: () => void;
}

/** A validated event: refused, or ready to be merged into its indicator. */
type ValidatedEvent = { readonly refused: EventRefusalReason } | (LinkedReport & { readonly key: string });

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
    const observedBy = parts.observedBy();
    const validated = events.map((event) => validate(event, { reporter, observedBy, isPublicSuffix }, parts));
    const request = { scope: ['ingest', reporter.account, reporter.id], requestId, body: events };
    let queued = false;
    const results = await stores.write((tx) =>
      answerOnce(
        tx,
        request,
        now,
        async () => {
          const merged = await mergeBatch(tx, { events, validated, reporter, now }, parts);
          queued = merged.queued;
          return merged.results;
        },
        (answer) => answer.some(({ status }) => status === 'ACCEPTED'),
      ),
    );
    if (queued) parts.onQueued?.();
    return results;
  };
}

interface ValidationContext {
  readonly reporter: Reporter;
  readonly observedBy: Instant;
  readonly isPublicSuffix: IsPublicSuffix;
}

function validate(
  event: SensorEvent,
  { reporter, observedBy, isPublicSuffix }: ValidationContext,
  parts: IngestParts,
): ValidatedEvent {
  const observed = observe(event, reporter, observedBy, parts.options, isPublicSuffix);
  if (!observed.ok) return { refused: observed.reason };
  const { observation } = observed;
  const { secret } = parts.stores.installation;
  const session = sessionKey(event, reporter);
  return {
    key: eventKey(event, reporter),
    indicatorId: indicatorId(secret, observation.type, observation.value),
    observation,
    links: namedTogether(event, observation, parts.options).map(({ kind, other, fromOther }) => ({
      kind,
      otherId: indicatorId(secret, other.type, other.value),
      fromOther,
    })),
    ...(session === undefined ? {} : { session }),
  };
}

async function mergeBatch(
  tx: WriteTransaction,
  { events, validated, reporter, now }: Batch,
  parts: IngestParts,
): Promise<{ readonly results: EventResult[]; readonly queued: boolean }> {
  const usable = validated.filter((one) => 'key' in one);
  const isNew = await tx.rememberEvents(
    usable.map((one) => one.key),
    now,
  );
  const fresh = new Set(usable.filter((_, index) => isNew[index]));
  const ids = [...new Set([...fresh].map((one) => one.indicatorId))];
  const stored = await tx.load(ids);
  const kept = await EvidenceChanges.load(tx, [...fresh], stored.keys(), now);
  const createdAt = await tx.creationInstant(now);
  const growth = await countGrowth(tx, reporter, now, parts.options.quota);

  const changes = new ViewChanges(stored);
  const overQuota = new Map<string, QuotaRefusalReason>();
  const results = validated.map((one, index): EventResult => {
    const eventId = events[index]?.eventId ?? '';
    if ('refused' in one) return { eventId, status: 'REFUSED', reason: one.refused };
    const { indicatorId, observation } = one;
    if (!fresh.has(one)) {
      const reason = overQuota.get(one.key);
      if (reason !== undefined) return { eventId, status: 'REFUSED', reason };
      return { eventId, status: 'DUPLICATE', indicatorId };
    }
    const before = changes.of(indicatorId);
    const views = withReport(before, observation, { id: indicatorId, now, createdAt });
    const evidence = kept.of(one);
    const reason = growth.take(growthFor(reporter, before, views, observation, evidence.growth));
    if (reason !== undefined) {
      overQuota.set(one.key, reason);
      return { eventId, status: 'REFUSED', reason };
    }
    changes.set(indicatorId, views);
    kept.keep(evidence);
    const accepted = { eventId, status: 'ACCEPTED', indicatorId } as const;
    return isKnownWithdrawn(views, reporter) ? { ...accepted, withdrawn: true } : accepted;
  });

  await tx.forgetEvents([...overQuota.keys()]);
  await growth.store();
  await tx.addActivity(activityOf(validated, results, reporter), now);
  const left =
    parts.process === undefined ? changes.keys() : await processAtOnce(tx, changes, now, parts.process);
  await tx.save(changes.writes(parts.encodeIndicator, left));
  await kept.store(tx);
  if (parts.renderLink !== undefined)
    await linkNews(changes, stored, kept).publish(tx, parts.renderLink, now);
  await tx.enqueue(left, now);
  return { results, queued: left.length > 0 };
}

function linkNews(changes: ViewChanges, stored: ReadonlyMap<string, Views>, kept: EvidenceChanges): LinkNews {
  const news = new LinkNews();
  for (const touched of kept.touched()) news.noteLink(touched);
  for (const key of changes.keys()) {
    const { record, audience = NOBODY } = changes.view(key);
    const before = stored.get(key.indicatorId)?.find(({ indicator }) => indicator.tlp === key.marking);
    if (kept.hasLinks(key.indicatorId)) news.noteView(key.indicatorId, audience, before?.feed, record?.feed);
  }
  return news;
}

interface GrowthCount {
  take(growth: Growth): QuotaRefusalReason | undefined;
  store(): Promise<void>;
}

const UNCOUNTED: GrowthCount = { take: () => undefined, store: async () => undefined };

/** Counts what a batch adds, within the quota of its reporter and of its day. */
async function countGrowth(
  tx: WriteTransaction,
  { account, group, isOperator }: Reporter,
  now: Instant,
  limits: QuotaLimits,
): Promise<GrowthCount> {
  if (isOperator) return UNCOUNTED;
  const day = dayOf(now);
  const key = JSON.stringify([account, group]);
  const allowance = createAllowance(await tx.growthOn(day, key), limits);
  return {
    take: allowance.take,
    store: async () => {
      if (allowance.taken.bytes > 0) await tx.addGrowth(day, key, allowance.taken);
    },
  };
}

/**
 * What a report adds, as its reporter may know it: a value that is known only above the ceiling counts as new. Otherwise
 * a reporter over its quota could find out by refusals which indicators there are above its ceiling.
 */
function growthFor(
  { ceiling }: Reporter,
  before: Views,
  after: Views,
  observation: Observation,
  evidence: number,
): Growth {
  const known = viewFor(before, ceiling);
  const merged = viewFor(after, ceiling);
  return known === undefined || merged === undefined || known.archivedAt !== undefined
    ? growthByNew(observation, evidence)
    : growthByKnown(known, merged, observation, evidence);
}

/** A reporter must not learn that an indicator above its ceiling was withdrawn. */
function isKnownWithdrawn(views: Views, { ceiling }: Reporter): boolean {
  return viewFor(views, ceiling)?.revokedAt !== undefined;
}
