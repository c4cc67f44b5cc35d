// The feed as the service reads and appends to it. A read takes a TLP ceiling: what lies above it does not exist for that
// reader.

import type { Instant } from '../domain/instant.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';

/** Microseconds since the epoch. It is unique and strictly increasing, so it is also the order of the feed. */
export type DateAdded = number;

export interface FeedEntry {
  readonly dateAdded: DateAdded;
}

/** An entry without the object itself. */
export interface FeedVersion extends FeedEntry {
  /** The STIX id. */
  readonly id: string;
  /** STIX `modified`, or `created` for objects without one, as written in the object. */
  readonly version: string;
}

/** An entry with the object itself. */
export interface FeedObject extends FeedEntry {
  /** The object as JSON. It never changes for one id and version. */
  readonly object: string;
}

/** Version selectors of TAXII 2.1 §3.4.1, applied to the versions at or before `until`. */
export type VersionMatch = 'last' | 'first' | 'all' | readonly string[];

export interface FeedQuery {
  /** Only entries that were added after this (exclusive). */
  readonly after?: DateAdded;
  /** Only entries that were added at or before this: the fixed upper bound of a page walk. */
  readonly until: DateAdded;
  readonly limit: number;
  readonly ceiling: TlpMarking;
  readonly ids?: readonly string[];
  readonly types?: readonly string[];
  /** Default `last`: the newest version of each object. */
  readonly versions?: VersionMatch;
  /** Id of a declared collection. Without it, the whole feed. A collection that was never declared is empty. */
  readonly collection?: string;
}

export interface FeedPage<Entry extends FeedEntry> {
  /** Ascending by dateAdded. Fewer than the limit if they are large (rules/page-size.ts). */
  readonly entries: readonly Entry[];
  readonly more: boolean;
}

/** `versions` and `objects` find the same entries for the same query. One read of both would cost 50 % more. */
export interface FeedReader {
  versions(query: FeedQuery): Promise<FeedPage<FeedVersion>>;
  objects(query: FeedQuery): Promise<FeedPage<FeedObject>>;
  /** The dateAdded of the newest entry. Undefined while the feed is empty. */
  last(): Promise<DateAdded | undefined>;
  /** The declared collections, without the retired ones, in the order of their first declaration. */
  collections(): Promise<readonly StoredCollection[]>;
}

export interface FeedAppend {
  readonly id: string;
  readonly type: string;
  readonly version: string;
  /** The time of `version`. The dateAdded of the entry is never earlier. */
  readonly modified: Instant;
  /** The marking of this version, and from now on of all earlier versions of the object. */
  readonly tlp: TlpMarking;
  readonly object: string;
  /**
   * STIX id of the object that this one is about. All versions of an object have the same owner. The object is in the
   * collections of its owner, and its marking is at least as restrictive as the newest marking of the owner.
   */
  readonly owner?: string;
  /**
   * Ids of the declared collections that hold the object besides the whole feed. `every` stands for all collections,
   * including later ones. An object never leaves a collection: its later versions and the objects it owns are in it too.
   */
  readonly collections?: readonly string[] | 'every';
  /** Append only if this adds the object to a collection. */
  readonly onlyToJoin?: true;
}

/** Raises the marking of an object and of all objects it owns, without a new version: a revoked object gets none. */
export interface FeedRaise {
  readonly id: string;
  readonly tlp: TlpMarking;
}

/** Deletes all versions of an object but the newest one, and all objects it owns. */
export interface FeedTrim {
  readonly id: string;
  readonly trim: true;
}

export type FeedChange = FeedAppend | FeedRaise | FeedTrim;

/** A part of the feed. The store keeps the definition, so that all processes share it, and does not interpret it. */
export interface StoredCollection {
  readonly id: string;
  readonly definition: string;
}

/** Declaring and filling collections. A driver may bound their number: `StoreDriver.limits`. */
export interface CollectionWriter {
  /** As `FeedReader.collections`, within this transaction. */
  declared(): Promise<readonly StoredCollection[]>;
  /**
   * Declares a collection, or replaces the definition of a declared one. Versions can be appended to it from now on.
   * Resolves to whether the collection is filled. Rejects with `failed_precondition` if there are too many.
   */
  declare(collection: StoredCollection): Promise<boolean>;
  /** Retires all other collections. A retired collection needs filling if it is declared again. */
  retire(keep: readonly string[]): Promise<void>;
  /** Adds objects, with all their versions and all objects they own, to a collection. Unknown ids are ignored. */
  fill(id: string, objects: readonly string[]): Promise<void>;
  /** Marks a collection as filled. */
  filled(id: string): Promise<void>;
  /** Marks a collection as not filled, because its filter changed. It keeps its objects. */
  outgrown(id: string): Promise<void>;
}
