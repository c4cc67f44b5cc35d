// What the pipeline needs from layers that it may not import. The wiring in service/ hands it over.

import type { FeedState, Indicator, IndicatorRecord } from '../domain/indicator/indicator.ts';
import type { FeedChange, WriteTransaction } from '../store/stores.ts';

/** The ProtoJSON of an indicator. `api/` makes it from the contract. */
export type EncodeIndicator = (indicator: Indicator) => string;

/**
 * Tells the renderer which collections are in use, in the transaction that publishes. Resolves to a number that is another
 * one whenever they are others: what was rendered under another number is out of date.
 */
export type SyncCollections = (tx: WriteTransaction) => Promise<number>;

/**
 * What is due for an indicator, referenced objects first, and what the record is to remember of it. `feed/` makes it.
 * @param changed whether the indicator itself gets a new version.
 */
export type RenderStix = (
  record: IndicatorRecord,
  changed: boolean,
) => {
  readonly changes: readonly FeedChange[];
  readonly feed: FeedState | undefined;
};
