// Entity tags of TAXII answers (RFC 9110 §8.8.3), made without the bytes where something smaller decides them.

import { hash } from 'node:crypto';
import type { PollPage } from '../../feed/poll.ts';
import type { FeedEntry } from '../../store/stores.ts';

const TAG_LENGTH = 32;

export interface EntityTag {
  /** Without quotes. */
  readonly opaque: string;
  /** Whether what it names may differ in bytes that mean the same. */
  readonly weak: boolean;
}

/**
 * An entry never changes: which ones they are decides every byte of a page and its headers, but for `next`, whose value
 * is another one each time. A client that goes on with an older value of it misses nothing.
 */
export function pageTag({ entries, next, after }: PollPage<FeedEntry>): EntityTag {
  const more = next !== undefined;
  return {
    opaque: opaqueOf([entries.map(({ dateAdded }) => dateAdded).join(), more, after ?? ''].join(';')),
    weak: more,
  };
}

export function bodyTag(body: Buffer): EntityTag {
  return { opaque: opaqueOf(body), weak: false };
}

/** As a header has it. @param variant tells apart what is the same but for its coding. */
export function formatTag({ opaque, weak }: EntityTag, variant = ''): string {
  return `${weak ? 'W/' : ''}"${opaque}${variant}"`;
}

function opaqueOf(text: string | Buffer): string {
  return hash('sha256', text, 'hex').slice(0, TAG_LENGTH);
}

/** Whether the client has this already (RFC 9110 §13.1.2). @param etag as a header has it. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  // The comparison is weak: a proxy may have weakened what we sent.
  return ifNoneMatch
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag.replace(/^W\//, ''));
}
