// TAXII answers: media type, entity tags (RFC 9110 §8.8.3), and compression where it pays.

import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import type { PollPage } from '../../feed/poll.ts';
import type { FeedBlock, FeedEntry } from '../../store/feed.ts';
import { addSums, NO_DATES, sumsOfDate } from '../../store/rules/date-sums.ts';
import { findCaller } from '../http/admission.ts';
import { holdAnswer } from '../http/answer-room.ts';
import { joinParts, lengthOfParts, type Parts, sendParts } from '../http/raw-answer.ts';
import { acceptsGzip, TAXII_MEDIA_TYPE } from './negotiation.ts';

/** In bytes. Compressing a smaller answer costs more than it saves. */
const COMPRESS_FROM = 1_024;

/** Feed objects are repetitive: higher levels take several times as long and save little more. */
const COMPRESSION_LEVEL = 1;

const compress = promisify(gzip);

/**
 * Sends 200, or 304 to a client that already has this answer.
 * @param tag of the answer.
 * @param body is not called for a 304.
 */
export function sendTaxii(
  reply: FastifyReply,
  tag: EntityTag,
  body: () => Parts,
): undefined | Promise<undefined> {
  const { headers } = reply.request;
  const known = headers['if-none-match'];
  reply.header('cache-control', 'private');
  vary(reply);
  // The compressed form has other bytes, so it has a tag of its own. The client may know either.
  const plainTag = formatTag(tag);
  const gzipTag = formatTag(tag, '-gzip');
  const etag = isKnown(known, plainTag) ? plainTag : isKnown(known, gzipTag) ? gzipTag : undefined;
  if (etag !== undefined) {
    reply.code(304).header('etag', etag).send();
    return undefined;
  }
  const parts = body();
  const length = lengthOfParts(parts);
  // Before it waits for its compression.
  holdAnswer(reply, findCaller(reply.request)?.id, length);
  if (length < COMPRESS_FROM || !acceptsGzip(headers['accept-encoding'])) {
    reply.header('etag', plainTag).header('content-type', TAXII_MEDIA_TYPE);
    sendParts(reply, parts, length);
    return undefined;
  }
  return compress(joinParts(parts), { level: COMPRESSION_LEVEL }).then((compressed): undefined => {
    sendBytes(reply.header('etag', gzipTag).header('content-encoding', 'gzip'), compressed);
  });
}

/** For small bodies, whose tag is made from their bytes. */
export function sendResource(reply: FastifyReply, body: Buffer): undefined | Promise<undefined> {
  return sendTaxii(reply, bodyTag(body), () => [body]);
}

/** Sends bytes, because Fastify adds a charset to the type of a text, and clients compare the type literally. */
export function sendBytes(reply: FastifyReply, body: Buffer): FastifyReply {
  holdAnswer(reply, findCaller(reply.request)?.id, body.length);
  return reply.header('content-type', TAXII_MEDIA_TYPE).send(body);
}

/** Adds the request headers that TAXII answers depend on to Vary. */
export function vary(reply: FastifyReply): void {
  const before = reply.getHeader('vary');
  const ours = 'Accept, Accept-Encoding, Authorization';
  reply.header('vary', before === undefined ? ours : `${before}, ${ours}`);
}

const TAG_LENGTH = 32;

export interface EntityTag {
  /** Without quotes. */
  readonly opaque: string;
  /** Whether answers with this tag may differ in bytes but not in meaning. */
  readonly weak: boolean;
}

/**
 * The tag of a page, made without its bytes: an entry of one ceiling never changes, so the dates of the entries decide the
 * page. Another ceiling may have another entry with the same date. Only the value of `next` differs each time. A client
 * that continues with an older value of it misses nothing.
 */
export function pageTag({ entries, next, after }: PollPage<TaggedEntry>, ceiling: TlpMarking): EntityTag {
  const more = next !== undefined;
  const [plain, mixed] = entries
    .map(({ sums, dateAdded }) => sums ?? sumsOfDate(dateAdded))
    .reduce(addSums, NO_DATES);
  const parts = [plain, mixed, after ?? 0].map((number) => number.toString(36));
  return { opaque: [ceiling, ...parts, more ? 'more' : 'end'].join('_'), weak: more };
}

/** An entry, or a block of several with the sums of their dates. */
type TaggedEntry = FeedEntry & Partial<Pick<FeedBlock, 'sums'>>;

export function bodyTag(body: Buffer): EntityTag {
  return { opaque: opaqueOf(body), weak: false };
}

/** The tag as a header has it. @param variant of the content coding. */
export function formatTag({ opaque, weak }: EntityTag, variant = ''): string {
  return `${weak ? 'W/' : ''}"${opaque}${variant}"`;
}

function opaqueOf(text: string | Buffer): string {
  return hash('sha256', text, 'hex').slice(0, TAG_LENGTH);
}

/** Whether If-None-Match names this tag (RFC 9110 §13.1.2). @param etag as a header has it. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  // A weak comparison, because a proxy may have weakened the tag.
  return ifNoneMatch
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag.replace(/^W\//, ''));
}
