// The version selectors of a query (TAXII 2.1 §3.4.1), taken apart.

import type { VersionMatch } from '../feed.ts';

export interface VersionSelectors {
  /** The newest version of each object, as of the upper bound of the query. */
  readonly last: boolean;
  /** The first version of each object in the collection. */
  readonly first: boolean;
  readonly all: boolean;
  /** Versions by their timestamp. */
  readonly versions: readonly string[];
}

/** A list is the union of its selectors, and an empty list selects nothing. Without selectors the query is for `last`. */
export function versionSelectors(match: VersionMatch = 'last'): VersionSelectors {
  const listed = typeof match === 'string' ? [] : match;
  return {
    last: match === 'last' || listed.includes('last'),
    first: match === 'first' || listed.includes('first'),
    all: match === 'all',
    versions: listed.filter((version) => version !== 'last' && version !== 'first'),
  };
}
