// Content negotiation (TAXII 2.1 §3.1): the media types and content codings that a client accepts and sends.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from '../http/errors.ts';

/** The Content-Type of every answer, including errors. Clients compare it literally. */
export const TAXII_MEDIA_TYPE = 'application/taxii+json;version=2.1';

interface Range {
  /** How exactly the range names our media type: the most exact range decides (RFC 9110 §12.5.1). */
  readonly precision: number;
  readonly wanted: boolean;
}

/** @throws HttpError 406 when the client does not accept our media type. */
export function requireAcceptable({ headers }: FastifyRequest): void {
  if (acceptsTaxii(headers.accept)) return;
  throw new HttpError(406, 'invalid_argument', `the answer would be ${TAXII_MEDIA_TYPE}`, 'NOT_ACCEPTABLE');
}

/** @throws HttpError 415 unless the body is our media type, with or without its version, and has no content coding. */
export function requireTaxiiBody({ headers }: FastifyRequest, reply: FastifyReply): void {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity') {
    // RFC 9110 §15.5.16: the header tells the client that the coding was refused.
    reply.header('accept-encoding', 'identity');
    const message = 'the body must be sent without a content coding';
    throw new HttpError(415, 'invalid_argument', message, 'UNSUPPORTED_CONTENT_ENCODING');
  }
  if (isTaxii(headers['content-type'])) return;
  const message = `the body must be ${TAXII_MEDIA_TYPE}`;
  throw new HttpError(415, 'invalid_argument', message, 'UNSUPPORTED_MEDIA_TYPE');
}

/**
 * Whether an Accept header allows our media type. A missing header allows everything. A range without a version means
 * the latest version (§1.6.8), which is ours.
 */
export function acceptsTaxii(accept: string | undefined): boolean {
  if (accept === undefined || accept === TAXII_MEDIA_TYPE || accept.trim() === '') return true;
  let best: Range | undefined;
  for (const item of splitUnquoted(accept, ',')) {
    const range = parseRange(item);
    if (range === undefined) continue;
    if (best === undefined || range.precision > best.precision) best = range;
    else if (range.precision === best.precision && range.wanted) best = range;
  }
  return best?.wanted ?? false;
}

/** Whether a Content-Type is our media type, in any spelling. */
function isTaxii(contentType: string | undefined): boolean {
  return contentType !== undefined && (parseRange(contentType)?.precision ?? 0) >= 2;
}

/** Whether an Accept-Encoding header allows gzip. Without the header the answer is not compressed. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  let any = false;
  for (const item of acceptEncoding.split(',')) {
    const [coding = '', ...parameters] = item.split(';');
    const name = coding.trim().toLowerCase();
    if (name === 'gzip' || name === 'x-gzip') return isWanted(parameters);
    if (name === '*') any = isWanted(parameters);
  }
  return any;
}

/** Undefined for a range that does not include our media type. Unknown parameters are ignored. */
function parseRange(item: string): Range | undefined {
  const [type = '', ...parameters] = splitUnquoted(item, ';');
  const wanted = isWanted(parameters);
  switch (type.trim().toLowerCase()) {
    case '*/*':
      return { precision: 0, wanted };
    case 'application/*':
      return { precision: 1, wanted };
    case 'application/taxii+json': {
      const version = parameterOf(parameters, 'version');
      if (version === undefined) return { precision: 2, wanted };
      return version === '2.1' ? { precision: 3, wanted } : undefined;
    }
    default:
      return undefined;
  }
}

/** A weight of zero excludes the range. */
function isWanted(parameters: readonly string[]): boolean {
  const weight = parameterOf(parameters, 'q');
  return weight === undefined || Number(weight) !== 0;
}

/** The value of a parameter, without its quotes. Names are case-insensitive. */
function parameterOf(parameters: readonly string[], name: string): string | undefined {
  for (const parameter of parameters) {
    const equals = parameter.indexOf('=');
    if (equals < 0 || parameter.slice(0, equals).trim().toLowerCase() !== name) continue;
    const value = parameter.slice(equals + 1).trim();
    return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
  }
  return undefined;
}

/** Splits at each separator outside quoted strings. */
function splitUnquoted(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator);
  const pieces: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      pieces.push(text.slice(start, at));
      start = at + 1;
    }
  }
  pieces.push(text.slice(start));
  return pieces;
}
