// The `match` filters of a feed request (TAXII 2.1 §3.4.1) as values, and whether two requests ask for the same.

import type { VersionMatch } from '../store/stores.ts';

/** Every object of the feed is of this STIX version. */
const SPEC_VERSION = '2.1';

/**
 * What was asked for, in canonical form: lists sorted and without duplicates. An absent member was not asked for, and
 * then means any id, any type, the last version, the latest specification.
 */
export interface FeedFilter {
  readonly ids?: readonly string[];
  readonly types?: readonly string[];
  readonly versions?: VersionMatch;
  readonly specVersions?: readonly string[];
}

/** Whether the feed, which has one specification version only, can have anything for this filter. */
export function isSatisfiable(filter: FeedFilter): boolean {
  return filter.specVersions?.includes(SPEC_VERSION) ?? true;
}

/**
 * Whether a filter sent together with a cursor is the one of the walk. Clients may resend all of it (as §3.5 asks),
 * some of it, or nothing (as several do); what they resend must be the same.
 */
export function agrees(resent: FeedFilter, walked: FeedFilter): boolean {
  return (
    sameMember(resent.ids, walked.ids) &&
    sameMember(resent.types, walked.types) &&
    sameMember(resent.versions, walked.versions ?? 'last') &&
    sameMember(resent.specVersions, walked.specVersions ?? [SPEC_VERSION])
  );
}

/** One text for one filter. */
export function canonicalText({ ids, types, versions, specVersions }: FeedFilter): string {
  return JSON.stringify({ ids, types, versions, specVersions });
}

function sameMember(resent: VersionMatch | undefined, walked: VersionMatch | undefined): boolean {
  return resent === undefined || JSON.stringify(resent) === JSON.stringify(walked);
}
