// Observables in canonical form: one spelling for each value. A value that is not a public observable is refused with a
// reason.

import type { IndicatorType } from '../vocabulary.ts';
import {
  type Address,
  addressScope,
  formatAddress,
  formatCidr,
  parseAddress,
  parseCidr,
  parseIpv4,
  rangeScope,
} from './address.ts';
import { canonicalUrl, SCHEME_AND_HOST } from './canonical-url.ts';
import { refang } from './defang.ts';
import { parseDomain } from './domain-name.ts';
import {
  type ObservableOptions,
  type ObservableRefusal,
  type ObservableRefusalReason,
  refuse,
  refuseScope,
} from './refusal.ts';

export interface Observable {
  readonly type: IndicatorType;
  /** Canonical: parsing it again gives it back. */
  readonly value: string;
}

export interface Accepted extends Observable {
  readonly ok: true;
}

/** Twice the longest URL, since the fragment and defanging are removed later. */
const MAX_TEXT_LENGTH = 4_096;

type KnownType = Exclude<IndicatorType, 'UNSPECIFIED'>;
type Parser = (text: string, options: ObservableOptions) => Accepted | ObservableRefusal;

const PARSERS: Readonly<Record<KnownType, Parser>> = {
  IPV4: (text, options) => parseIp('IPV4', text, options),
  IPV6: (text, options) => parseIp('IPV6', text, options),
  DOMAIN: (text, options) => accepted('DOMAIN', parseDomain(text, options)),
  URL: (text, options) => accepted('URL', canonicalUrl(text, options)),
  FILE_HASH_MD5: (text) => parseDigest('FILE_HASH_MD5', text, [32]),
  FILE_HASH_SHA1: (text) => parseDigest('FILE_HASH_SHA1', text, [40]),
  FILE_HASH_SHA256: (text) => parseDigest('FILE_HASH_SHA256', text, [64]),
  EMAIL: parseEmail,
  CIDR: parseRange,
  JA3: (text) => parseDigest('JA3', text, [32]),
  SSL_CERT_FINGERPRINT: parseFingerprint,
};

/**
 * Reads a value of the given type, or recognises the type if it is UNSPECIFIED. Accepts defanged forms. The result has
 * another type in one case: IPv4-mapped IPv6 is IPV4. Never throws.
 */
export function parseObservable(
  type: IndicatorType,
  text: string,
  options: ObservableOptions,
): Accepted | ObservableRefusal {
  // Most events have a plain IPv4 address, which is already canonical.
  const address = type === 'IPV4' || type === 'UNSPECIFIED' ? parseIpv4(text) : undefined;
  if (address !== undefined) {
    return refuseScope(addressScope(address), options) ?? { ok: true, type: 'IPV4', value: text };
  }
  if (text.length > MAX_TEXT_LENGTH) {
    return refuse('VALUE_TOO_LONG', `a value has at most ${MAX_TEXT_LENGTH} characters`);
  }
  const plain = refang(text.trim());
  if (plain === '') return refuse('EMPTY_VALUE', 'the value is empty');
  return type === 'UNSPECIFIED' ? recognisePlain(plain, options) : parseTyped(type, plain, options);
}

/**
 * Recognises the type by the form. 32, 40 and 64 hexadecimal digits are MD5, SHA-1 and SHA-256. A JA3 or certificate
 * fingerprint looks the same, so its type has to be given. Only certificate fingerprints are written in pairs with
 * colons.
 */
export function recognise(text: string, options: ObservableOptions): Accepted | ObservableRefusal {
  return parseObservable('UNSPECIFIED', text, options);
}

/** Reasons which only state that the text does not have the form of its type. */
const MALFORMED: ReadonlySet<ObservableRefusalReason> = new Set([
  'INVALID_IPV4',
  'INVALID_IPV6',
  'INVALID_CIDR',
  'INVALID_DOMAIN',
  'INVALID_URL',
  'INVALID_EMAIL',
]);

function parseTyped(type: KnownType, text: string, options: ObservableOptions): Accepted | ObservableRefusal {
  const result = PARSERS[type](text, options);
  if (result.ok || !MALFORMED.has(result.reason)) return result;
  const other = recognisePlain(text, options);
  return other.ok ? refuse('TYPE_MISMATCH', `the value is ${other.type}, not ${type}`) : result;
}

const HEX = /^[0-9a-f]+$/i;
const HEX_PAIRS = /^[0-9a-f]{2}(?::[0-9a-f]{2})+$/i;
const NAME_WITH_PORT = /^([^:]+):[0-9]{1,5}$/;
const DOTTED_NUMBER = /^[0-9]+(?:\.[0-9]+)+$/;

const UNRECOGNISED = refuse('UNRECOGNISED_VALUE', 'the value does not have the form of a known type');

function recognisePlain(text: string, options: ObservableOptions): Accepted | ObservableRefusal {
  if (HEX.test(text)) return recogniseDigest(text);
  const [type, certain] = formOf(text);
  const result = PARSERS[type](text, options);
  if (result.ok || certain || !MALFORMED.has(result.reason)) return result;
  return isNameWithPort(text, options) ? ADDRESS_WITH_PORT : UNRECOGNISED;
}

function isNameWithPort(text: string, options: ObservableOptions): boolean {
  const name = NAME_WITH_PORT.exec(text)?.[1];
  return name !== undefined && typeof parseDomain(name, options) === 'string';
}

/** The only type that the text can have. It is certain if no other text looks like that. */
function formOf(text: string): [type: KnownType, certain: boolean] {
  if (SCHEME_AND_HOST.test(text)) return ['URL', true];
  if (text.length >= 47 && HEX_PAIRS.test(text)) return ['SSL_CERT_FINGERPRINT', true];
  const slash = text.indexOf('/');
  if (slash >= 0) {
    const range = /^[0-9]+$/.test(text.slice(slash + 1)) && parseAddress(text.slice(0, slash)) !== undefined;
    return range ? ['CIDR', true] : ['URL', false];
  }
  if (text.includes('@')) return ['EMAIL', false];
  if (text.includes(':')) return ['IPV6', false];
  return DOTTED_NUMBER.test(text) ? ['IPV4', true] : ['DOMAIN', false];
}

function recogniseDigest(text: string): Accepted | ObservableRefusal {
  switch (text.length) {
    case 32:
      return { ok: true, type: 'FILE_HASH_MD5', value: text.toLowerCase() };
    case 40:
      return { ok: true, type: 'FILE_HASH_SHA1', value: text.toLowerCase() };
    case 64:
      return { ok: true, type: 'FILE_HASH_SHA256', value: text.toLowerCase() };
    default:
      if (text.length < 32) return UNRECOGNISED;
      return refuse('INVALID_HASH_LENGTH', 'a hash has 32, 40 or 64 hexadecimal digits');
  }
}

const INVALID_IP = {
  IPV4: refuse('INVALID_IPV4', 'an IPv4 address is four numbers from 0 to 255 without leading zeros'),
  IPV6: refuse(
    'INVALID_IPV6',
    'an IPv6 address is eight groups of hexadecimal digits, `::` for zeros, no zone',
  ),
};
const WITH_PORT = /^(?:([0-9.]+)|\[([0-9a-f:.]+)\]):[0-9]{1,5}$/i;
const ADDRESS_WITH_PORT = refuse('ADDRESS_WITH_PORT', 'a port is not part of an address or a name');

function parseIp(
  type: 'IPV4' | 'IPV6',
  text: string,
  options: ObservableOptions,
): Accepted | ObservableRefusal {
  const bracketed = text.startsWith('[') && text.endsWith(']');
  const address = parseAddress(bracketed ? text.slice(1, -1) : text);
  // IPv6 is written with a colon, also when it is a mapped IPv4 address.
  const fits = address !== undefined && (type === 'IPV6' ? text.includes(':') : address.length === 4);
  if (fits) return acceptedAddress(address, options);
  const [, ipv4, ipv6] = WITH_PORT.exec(text) ?? [];
  return parseAddress(ipv4 ?? ipv6 ?? '') === undefined ? INVALID_IP[type] : ADDRESS_WITH_PORT;
}

function acceptedAddress(address: Address, options: ObservableOptions): Accepted | ObservableRefusal {
  const refusal = refuseScope(addressScope(address), options);
  if (refusal !== undefined) return refusal;
  return { ok: true, type: address.length === 4 ? 'IPV4' : 'IPV6', value: formatAddress(address) };
}

const INVALID_CIDR = refuse(
  'INVALID_CIDR',
  'a range consists of an address, a slash and the number of fixed bits',
);

function parseRange(text: string, options: ObservableOptions): Accepted | ObservableRefusal {
  const range = parseCidr(text);
  if (range === undefined) return INVALID_CIDR;
  return refuseScope(rangeScope(range), options) ?? { ok: true, type: 'CIDR', value: formatCidr(range) };
}

/** RFC 5321 §4.5.3.1: 64 octets before the at-sign, and 254 in all, since a path of 256 includes angle brackets. */
const MAX_LOCAL_PART_LENGTH = 64;
const MAX_EMAIL_LENGTH = 254;
/** Dot-atom of RFC 5322 §3.2.3 with the letters of RFC 6531. Quoted local parts are refused. */
const LOCAL_PART = /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const INVALID_EMAIL = refuse(
  'INVALID_EMAIL',
  'an e-mail address consists of a local part, an at-sign and a domain',
);

/** Keeps the case of the local part: only its own domain knows whether case matters. */
function parseEmail(text: string, options: ObservableOptions): Accepted | ObservableRefusal {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  if (at < 0 || local.length > MAX_LOCAL_PART_LENGTH || !LOCAL_PART.test(local)) return INVALID_EMAIL;
  const domain = parseDomain(text.slice(at + 1), options);
  if (typeof domain !== 'string') return domain.reason === 'LOCAL_NAME' ? domain : INVALID_EMAIL;
  const value = `${local}@${domain}`;
  if (value.length <= MAX_EMAIL_LENGTH) return { ok: true, type: 'EMAIL', value };
  return refuse('VALUE_TOO_LONG', `an e-mail address has at most ${MAX_EMAIL_LENGTH} characters`);
}

/** MD5, SHA-1 or SHA-256 over the certificate, bare or in pairs with colons. */
function parseFingerprint(text: string): Accepted | ObservableRefusal {
  const bare = HEX_PAIRS.test(text) ? text.replaceAll(':', '') : text;
  return parseDigest('SSL_CERT_FINGERPRINT', bare, [32, 40, 64]);
}

function parseDigest(
  type: KnownType,
  text: string,
  lengths: readonly number[],
): Accepted | ObservableRefusal {
  if (!HEX.test(text)) return refuse('INVALID_HASH', 'a hash consists of hexadecimal digits');
  if (lengths.includes(text.length)) return { ok: true, type, value: text.toLowerCase() };
  return refuse('INVALID_HASH_LENGTH', `${type} has ${lengths.join(' or ')} hexadecimal digits`);
}

function accepted(type: KnownType, result: string | ObservableRefusal): Accepted | ObservableRefusal {
  return typeof result === 'string' ? { ok: true, type, value: result } : result;
}
