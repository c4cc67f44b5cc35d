// Publishing to the feed: a new version of an indicator exactly when something material changed.

import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import { fingerprint } from '../domain/indicator/material.ts';
import type { FeedChange } from '../store/stores.ts';
import type { RenderStix } from './ports.ts';

export interface Publication {
  /** The record, remembering what was published. */
  readonly record: IndicatorRecord;
  /** What is to be appended to the feed; empty when nothing is due. */
  readonly changes: readonly FeedChange[];
}

/** RAW is not intelligence yet and stays out of the feed. */
export function publish(record: IndicatorRecord, renderStix: RenderStix): Publication {
  if (record.indicator.state === 'RAW') return { record, changes: [] };
  const published = fingerprint(record.indicator);
  const { changes, feed } = renderStix(record, published !== record.published);
  if (changes.length === 0 || feed === undefined) return { record, changes: [] };
  return { record: { ...record, published, feed }, changes };
}
