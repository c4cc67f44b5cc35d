// Content negotiation of TAXII 2.1 §3.1: what a client accepts, as media type and as content coding.

/** The Content-Type of every answer, errors included: clients compare it literally. */
export const TAXII_MEDIA_TYPE = 'application/taxii+json;version=2.1';

interface Range {
  /** How closely the range describes our media type: the closest one decides (RFC 9110 §12.5.1). */
  readonly closeness: number;
  readonly wanted: boolean;
}

/**
 * Whether an Accept header allows our media type. No header allows everything; a range without a version means the
 * latest one (§1.6.8), which is ours.
 */
export function acceptsTaxii(accept: string | undefined): boolean {
  if (accept === undefined || accept === TAXII_MEDIA_TYPE || accept.trim() === '') return true;
  let best: Range | undefined;
  for (const item of splitUnquoted(accept, ',')) {
    const range = parseRange(item);
    if (range === undefined) continue;
    if (best === undefined || range.closeness > best.closeness) best = range;
    else if (range.closeness === best.closeness && range.wanted) best = range;
  }
  return best?.wanted ?? false;
}

/** Whether a Content-Type is our media type, in any spelling. */
export function isTaxii(contentType: string | undefined): boolean {
  return contentType !== undefined && (parseRange(contentType)?.closeness ?? 0) >= 2;
}

/** Whether an Accept-Encoding header allows gzip. No header: the plain answer is safest. */
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

/** Undefined for a range that does not include our media type. Unknown parameters do not matter. */
function parseRange(item: string): Range | undefined {
  const [type = '', ...parameters] = splitUnquoted(item, ';');
  const wanted = isWanted(parameters);
  switch (type.trim().toLowerCase()) {
    case '*/*':
      return { closeness: 0, wanted };
    case 'application/*':
      return { closeness: 1, wanted };
    case 'application/taxii+json': {
      const version = parameterOf(parameters, 'version');
      if (version === undefined) return { closeness: 2, wanted };
      return version === '2.1' ? { closeness: 3, wanted } : undefined;
    }
    default:
      return undefined;
  }
}

/** A weight of zero means "not this". */
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

/** Splits at a separator that does not stand inside a quoted string. */
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
