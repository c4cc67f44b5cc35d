// Indicators as the service reads and writes them. A read takes a TLP ceiling. It gives the view of an indicator that is
// for that ceiling (domain/indicator/views.ts): what lies above the ceiling does not exist for the reader.

import type { Audience } from '../domain/audience.ts';
import type { KeptEvidence } from '../domain/evidence/kept-evidence.ts';
import type { IndicatorFilter } from '../domain/filter.ts';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import type { Instant } from '../domain/instant.ts';
import type { AddressRange } from '../domain/observable/address.ts';
import type { TextTerm } from '../domain/text-query.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';

/** Position of a view in the order of creation. It never changes. */
export type Seq = number;

export interface SearchCriteria {
  readonly filter: IndicatorFilter;
  readonly terms: readonly TextTerm[];
  readonly ceiling: TlpMarking;
  /** Absent for the order of creation. Counts and walks ignore it. */
  readonly order?: SearchOrder;
}

/** Descending by what can change, and by the order of creation among equal ones. */
export interface SearchOrder {
  readonly by: OrderKey;
  /** The key of the last row of the previous page, whose seq is `before`. */
  readonly from?: number;
}

export const ORDER_KEYS = ['LAST_SEEN', 'CONFIDENCE', 'SEVERITY'] as const;
export type OrderKey = (typeof ORDER_KEYS)[number];

/** Where a row is in its order. */
export interface SearchPlace {
  readonly seq: Seq;
  /** By what it is ordered, if that is not the creation. */
  readonly key?: number;
}

export interface SearchRow extends SearchPlace {
  /** The ProtoJSON of the indicator, as written. */
  readonly document: string;
}

export interface SearchResult {
  /** In order, at most as many as the limit, and fewer if they are large (rules/page-size.ts). */
  readonly rows: readonly SearchRow[];
  /** Whether there are more rows after the last one. */
  readonly more: boolean;
}

/** The same as a SearchResult, as it is sent. */
export interface SearchBlocks {
  /** The documents in UTF-8, joined by commas. A block has at least one document. Nobody may change its bytes. */
  readonly blocks: readonly Uint8Array[];
  /** The number of documents. */
  readonly count: number;
  /** Of the last row. Undefined if there is none. */
  readonly last: SearchPlace | undefined;
  readonly more: boolean;
}

/** Names one view of an indicator. */
export interface ViewKey {
  readonly indicatorId: string;
  readonly marking: TlpMarking;
}

export interface StoredView {
  readonly record: IndicatorRecord;
  readonly audience: Audience;
  /** Grows with every write of this view. A writer that read an older revision must start again. */
  readonly revision: number;
}

export interface IndicatorReader {
  /**
   * @param before the seq of the last row of the previous page: only rows behind it are given.
   * @param patienceMs how long it may take; default: as long as it takes. Rejects as `outOfTime` does (patience.ts) when
   *   more rows have to be examined than fit into this time.
   */
  search(criteria: SearchCriteria, limit: number, before?: Seq, patienceMs?: number): Promise<SearchResult>;
  /** The same documents as `search` gives, joined by the store. */
  blocks(criteria: SearchCriteria, limit: number, before?: Seq, patienceMs?: number): Promise<SearchBlocks>;
  /**
   * The exact number of matches. Undefined if there are more than `bound`.
   * @param patienceMs as for `search`.
   */
  count(criteria: SearchCriteria, bound: number, patienceMs?: number): Promise<number | undefined>;
  /** The document of an indicator. Undefined if there is none at or below the ceiling. */
  document(id: string, ceiling: TlpMarking): Promise<string | undefined>;
  record(id: string, ceiling: TlpMarking): Promise<IndicatorRecord | undefined>;
  /** The kept evidence of each marking up to the ceiling. Undefined if there is no indicator at or below the ceiling. */
  evidence(id: string, ceiling: TlpMarking): Promise<readonly KeptEvidence[] | undefined>;
  /** The documents of several indicators, in the order of their ids, each as `document` gives it. */
  documents(ids: readonly string[], ceiling: TlpMarking): Promise<(string | undefined)[]>;
  /**
   * For each range, the ranges around it that may be indicators, itself included, the smallest first. No range that is an
   * indicator is missing. Some may be none, or none for a reader, so the documents decide.
   */
  rangesAround(ranges: readonly AddressRange[]): Promise<(readonly AddressRange[])[]>;
  /**
   * Streams every match in the order of creation, oldest first, for exports. It reads in batches of bounded size, and
   * writers do not wait for it. An indicator that exists when the walk begins, and matches when the walk reaches it, is
   * given exactly once, in its state of that moment. Indicators created later are left out, so the walk ends.
   */
  each(criteria: SearchCriteria): AsyncIterable<IndicatorRecord>;
  /**
   * Streams every view, with its value in lower case, without a TLP ceiling and without what is in the archive. A view that
   * is created meanwhile may be missing.
   */
  values(): AsyncIterable<ViewKey & { readonly value: string }>;
  /** Streams the views whose validUntil is before an instant, in the same way and without a TLP ceiling. */
  stale(before: Instant): AsyncIterable<IndicatorRecord>;
}

/** One view. It is the view of its indicator with the marking of `record.indicator`. */
export interface IndicatorWrite {
  readonly record: IndicatorRecord;
  /** The ceilings that it is for. No two views of an indicator are for the same ceiling. */
  readonly audience: Audience;
  /**
   * The ProtoJSON of `record.indicator`. Absent if a job is about to save the view again: until then readers find the view
   * as it was, and only the record is new. The view must exist, and have the same readers.
   */
  readonly document?: string;
  /**
   * The marking of the view from which a new view was made. The new one takes its place in the order of creation.
   * Absent for a view that was made of a report: it becomes the newest.
   */
  readonly madeFrom?: TlpMarking;
}

/** The evidence from the reports of one indicator with one marking. */
export interface EvidenceWrite extends ViewKey {
  readonly evidence: KeptEvidence;
}
