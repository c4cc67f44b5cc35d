// The feed as the service reads and appends to it. An object has one history of versions for each TLP ceiling, and a read
// takes a ceiling. What is in no history of that ceiling changes nothing that the read gives.

import type { Audience } from '../domain/audience.ts';
import type { Instant } from '../domain/instant.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { DateSums } from './rules/date-sums.ts';

/**
 * The position of an entry in the feed of all ceilings. It is unique and strictly increasing. The gaps between places tell
 * how much is hidden, so a place leaves the service only inside an encrypted cursor.
 */
export type Place = number;

/**
 * When a reader with one ceiling sees that an entry was added, in microseconds since the epoch. Unique and strictly
 * increasing in the feed of this ceiling.
 */
export type DateAdded = number;

export interface FeedEntry {
  readonly place: Place;
  /** As the ceiling of the query sees it. */
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

/** Consecutive entries of a page as one text. Its place and its date are those of the last entry. */
export interface FeedBlock extends FeedEntry {
  /** The date of the first entry. */
  readonly first: DateAdded;
  /** Of the dates of all entries. */
  readonly sums: DateSums;
  /** The objects as JSON in UTF-8, joined by commas. Several pages may share the bytes, so nobody may change them. */
  readonly objects: Uint8Array;
}

/** Version selectors of TAXII 2.1 §3.4.1, applied to the versions at or before `until`. */
export type VersionMatch = 'last' | 'first' | 'all' | readonly string[];

export interface FeedQuery {
  /** Only entries behind this place (exclusive). */
  readonly after?: Place;
  /** Only entries up to this place (inclusive): the fixed upper bound of a page walk. */
  readonly until: Place;
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
  /** Ascending by place, and so by dateAdded. Fewer than the limit if they are large (rules/page-size.ts). */
  readonly entries: readonly Entry[];
  readonly more: boolean;
}

/** Where the feed of a ceiling ends, and where a date is in it. */
export interface FeedBounds {
  /** The newest entry of this ceiling, though it may be hidden or deleted since. */
  readonly end: FeedEntry;
  /** All entries that were added later than the date are behind this place, and no others. */
  readonly after: Place;
}

/** All three find the same entries for the same query. One read of versions and objects would cost 50 % more. */
export interface FeedReader {
  versions(query: FeedQuery): Promise<FeedPage<FeedVersion>>;
  objects(query: FeedQuery): Promise<FeedPage<FeedObject>>;
  /** The objects in blocks, for pages that are sent as they are. The limit still counts objects. */
  blocks(query: FeedQuery): Promise<FeedPage<FeedBlock>>;
  /**
   * Undefined while the feed of this ceiling is empty.
   * @param addedAfter the start of the feed if it is absent.
   */
  bounds(ceiling: TlpMarking, addedAfter?: DateAdded): Promise<FeedBounds | undefined>;
  /** The declared collections, without the retired ones, in the order of their first declaration. */
  collections(): Promise<readonly StoredCollection[]>;
}

export interface FeedAppend {
  readonly id: string;
  readonly type: string;
  readonly version: string;
  /** The time of `version`. The dateAdded of the entry is never earlier. */
  readonly modified: Instant;
  /** The ceilings for which this is the next version of the object. */
  readonly audience: Audience;
  readonly object: string;
  /**
   * STIX id of the object that this one is about. All versions of an object have the same owner. The object is in the
   * collections of its owner.
   */
  readonly owner?: string;
  /**
   * STIX id of the other end of a link between two objects. A link has two owners: it is in the collections that both are
   * in, and it is hidden with either of them.
   */
  readonly secondOwner?: string;
  /**
   * Ids of the declared collections that hold the object besides the whole feed. `every` stands for all collections,
   * including later ones. An object never leaves a collection: its later versions and the objects it owns are in it too.
   */
  readonly collections?: readonly string[] | 'every';
  /** Append only if this adds the object to a collection. */
  readonly onlyToJoin?: true;
  /** Append only if this adds the object to a collection, or if the newest version does not say it already. */
  readonly isSaidBy?: (newest: string) => boolean;
}

/**
 * Hides an object whose marking was raised from the ceilings that may no longer see it. Its newest version stays, because
 * it tells them that the object is revoked: append that one first. Its other versions and all objects it owns are hidden.
 */
export interface FeedHide {
  readonly id: string;
  readonly from: Audience;
}

/** Takes an object, or the links between an object and others, from some ceilings. No version stays. */
export interface FeedRemoval {
  readonly id: string;
  readonly from: Audience;
  readonly removes: 'object' | 'links';
}

export type FeedChange = FeedAppend | FeedHide | FeedRemoval;

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
  /**
   * Adds objects, with all their versions and all objects they own, to a collection. Unknown ids are ignored.
   * @param audience only versions whose lowest ceiling is one of these. The reader with the lowest ceiling of a version
   *   knows least, so what he sees decides whether the version is in the collection. Later versions of an object that is in the
   *   collection for him are put in too: no object leaves a collection.
   */
  fill(id: string, objects: readonly string[], audience: Audience): Promise<void>;
  /** Marks a collection as filled. */
  filled(id: string): Promise<void>;
  /** Marks a collection as not filled, because its filter changed. It keeps its objects. */
  outgrown(id: string): Promise<void>;
}
