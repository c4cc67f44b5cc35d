// Pruning: moves views of indicators that nobody confirmed and that are long stale into the archive
// (docs/decisions/0026-quotas-and-pruning.md).
//
// The feed gets one last version of each, which ends its validity. The next prunings delete that version too, once it is
// as old as the policy says.

import { setTimeout as delay } from 'node:timers/promises';
import { archived, isLongStale } from '../domain/indicator/archive.ts';
import type { Indicator } from '../domain/indicator/indicator.ts';
import type { Clock, Instant } from '../domain/instant.ts';
import type { FeedChange } from '../store/feed.ts';
import type { ViewKey } from '../store/indicators.ts';
import type { Stores, WriteTransaction } from '../store/stores.ts';
import { publish, type RenderStix } from './publish.ts';

/** Indicators in one transaction. Small enough that other writers wait only milliseconds. */
const BATCH = 100;

export interface PruneParts {
  readonly stores: Pick<Stores, 'write' | 'indicators'>;
  readonly renderStix: RenderStix;
  readonly clock: Clock;
}

export interface Pruned {
  /** Indicators that were moved into the archive. */
  readonly archived: number;
  /** Indicators of earlier prunings whose last version left the feed. */
  readonly leftFeed: number;
}

/** What a pruning would move, in the order of creation. An indicator with a job is moved by a later one. */
export async function* prunable(
  { indicators }: Pick<Stores, 'indicators'>,
  before: Instant,
): AsyncGenerator<Indicator> {
  for await (const record of indicators.stale(before)) {
    if (isLongStale(record, before)) yield record.indicator;
  }
}

/**
 * Moves the indicators that went stale before an instant into the archive. Each batch is one transaction, so a call
 * after an interruption continues, and the feed tells of each indicator once.
 * @param onProgress takes the number of indicators that were moved so far.
 */
export async function prune(
  parts: PruneParts,
  before: Instant,
  onProgress: (moved: number) => void = () => {},
): Promise<Pruned> {
  let leftFeed = 0;
  for (;;) {
    const batch = await unhurried(parts, (tx) => tx.forgetArchivedInFeed(before, BATCH));
    leftFeed += batch;
    if (batch < BATCH) break;
  }
  let moved = 0;
  let keys: ViewKey[] = [];
  const move = async () => {
    const batch = keys;
    keys = [];
    moved += await unhurried(parts, (tx) => moveBatch(tx, batch, before, parts));
    onProgress(moved);
  };
  for await (const { id, tlp } of prunable(parts.stores, before)) {
    if (keys.push({ indicatorId: id, marking: tlp }) === BATCH) await move();
  }
  if (keys.length > 0) await move();
  return { archived: moved, leftFeed };
}

/** Waits as long as the transaction took, so that other writers get half of the time. */
async function unhurried<Result>(
  { stores }: PruneParts,
  work: (tx: WriteTransaction) => Promise<Result>,
): Promise<Result> {
  const started = performance.now();
  const result = await stores.write(work);
  await delay(performance.now() - started);
  return result;
}

/** Judges the views again: they may have changed since they were listed. */
async function moveBatch(
  tx: WriteTransaction,
  keys: readonly ViewKey[],
  before: Instant,
  { renderStix, clock }: PruneParts,
): Promise<number> {
  const now = clock();
  const ended = (await tx.loadViews(keys)).flatMap((view) =>
    view !== undefined && isLongStale(view.record, before)
      ? [publish(archived(view.record, now), view.audience, renderStix)]
      : [],
  );
  const moved = await tx.archive(
    ended.map(({ record, changes }) => ({ record, ...objectOf(changes) })),
    now,
  );
  const isMoved = new Set(moved.map(({ indicatorId, marking }) => `${indicatorId}/${marking}`));
  const told = ended.filter(({ record: { indicator } }) => isMoved.has(`${indicator.id}/${indicator.tlp}`));
  await tx.append(
    told.flatMap(({ changes }) => changes),
    now,
  );
  return moved.length;
}

/** The STIX id of the indicator that is told of. Nothing is told of one that was never published. */
function objectOf(changes: readonly FeedChange[]): { readonly objectId?: string } {
  const [change] = changes;
  return change === undefined ? {} : { objectId: change.id };
}
