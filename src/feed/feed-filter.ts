// The `match` filters of a feed request (TAXII 2.1 §3.4.1), and whether two of them are equal.

import type { VersionMatch } from '../store/feed.ts';

/** The STIX version of every object in the feed. */
const SPEC_VERSION = '2.1';

/**
 * A filter in canonical form: lists are sorted and distinct. An absent member was not in the request. It stands for any
 * id, any type, the last version, and the latest specification.
 */
export interface FeedFilter {
  readonly ids?: readonly string[];
  readonly types?: readonly string[];
  readonly versions?: VersionMatch;
  readonly specVersions?: readonly string[];
}

/** False if no object of the feed can match, since the feed has one specification version only. */
export function isSatisfiable(filter: FeedFilter): boolean {
  return filter.specVersions?.includes(SPEC_VERSION) ?? true;
}

/**
 * Whether a filter that is resent with a cursor agrees with the filter of the walk. Clients may resend all of it
 * (§3.5), a part of it, or nothing. Every resent member must be equal.
 */
export function agrees(resent: FeedFilter, walked: FeedFilter): boolean {
  return (
    sameMember(resent.ids, walked.ids) &&
    sameMember(resent.types, walked.types) &&
    sameMember(resent.versions, walked.versions ?? 'last') &&
    sameMember(resent.specVersions, walked.specVersions ?? [SPEC_VERSION])
  );
}

/** Equal filters have equal texts. */
export function canonicalText({ ids, types, versions, specVersions }: FeedFilter): string {
  return JSON.stringify({ ids, types, versions, specVersions });
}

function sameMember(resent: VersionMatch | undefined, walked: VersionMatch | undefined): boolean {
  return resent === undefined || JSON.stringify(resent) === JSON.stringify(walked);
}
