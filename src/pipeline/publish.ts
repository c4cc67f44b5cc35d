// Publishing to the feed: an indicator gets a new version exactly when something material changed. Also the ports
// through which the pipeline reaches the contract and STIX; service/ connects them.

import { type Audience, NOBODY } from '../domain/audience.ts';
import { isMereMention } from '../domain/evidence/mention.ts';
import type { FeedState, Indicator, IndicatorRecord } from '../domain/indicator/indicator.ts';
import { materialFingerprint } from '../domain/indicator/material-fingerprint.ts';
import { audiencesOf, type Views } from '../domain/indicator/views.ts';
import type { Instant } from '../domain/instant.ts';
import type { FeedChange } from '../store/feed.ts';
import type { Stores, WriteTransaction } from '../store/stores.ts';

/** The ProtoJSON of an indicator, made by `protojson/`. */
export type EncodeIndicator = (indicator: Indicator) => string;

/**
 * Tells the renderer which collections are in use, inside the transaction that publishes. Resolves to a number that
 * changes with the collections. Objects rendered under an earlier number are out of date.
 */
export type SyncCollections = (tx: WriteTransaction) => Promise<number>;

/**
 * The pending objects of an indicator, referenced objects first, and the state to keep in the record. Made by `stix/`.
 * @param changed whether the indicator itself gets a new version.
 * @param audience the readers of this view of the indicator.
 */
export type RenderStix = (
  record: IndicatorRecord,
  changed: boolean,
  audience: Audience,
) => {
  readonly changes: readonly FeedChange[];
  readonly feed: FeedState | undefined;
};

export interface Publication {
  /** The record with the state of its publication. */
  readonly record: IndicatorRecord;
  /** To append to the feed; empty when nothing is pending. */
  readonly changes: readonly FeedChange[];
}

/**
 * Publishes one view. A RAW indicator is not scored yet and stays out of the feed. So does a host that is no indicator of
 * its own (mention.ts), unless a reader has it already. The renderer keeps out what must never be blocked.
 * @param audience the readers of the view.
 */
export function publish(record: IndicatorRecord, audience: Audience, renderStix: RenderStix): Publication {
  const isSilent = record.indicator.state === 'RAW' || isMereMention(record);
  if (isSilent && record.published === undefined) return { record, changes: [] };
  const published = materialFingerprint(record.indicator);
  const { changes, feed } = renderStix(record, published !== record.published, audience);
  if (changes.length === 0 || feed === undefined) return { record, changes: [] };
  return { record: { ...record, published, feed }, changes };
}

/** Publishes the views of an indicator that have changed, each to its readers. The others wait for their own jobs. */
export function publishChanged(
  before: Views,
  views: Views,
  renderStix: RenderStix,
): { readonly views: Views; readonly changes: readonly FeedChange[] } {
  const audiences = audiencesOf(views);
  const published = views.map((view, index) =>
    view !== before[index]
      ? publish(view, audiences[index] ?? NOBODY, renderStix)
      : { record: view, changes: [] },
  );
  return {
    views: published.map(({ record }) => record),
    changes: published.flatMap(({ changes }) => changes),
  };
}

/** Versions in one transaction. Small enough that other writers wait only milliseconds. */
const COMPACTION_BATCH = 1_000;

/**
 * Deletes the versions that were superseded before an instant. Resolves to the number of deleted versions. After an
 * interruption, another call continues.
 */
export async function compactFeed(stores: Pick<Stores, 'write'>, before: Instant): Promise<number> {
  let deleted = 0;
  for (;;) {
    const step = await stores.write((tx) => tx.compactFeed(before, COMPACTION_BATCH));
    deleted += step.deleted;
    if (!step.more) return deleted;
  }
}
