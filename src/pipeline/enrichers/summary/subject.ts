// Who or what a summary is about, in words.

import type { AsnInfo, GeoLocation, Indicator } from '../../../domain/indicator/indicator.ts';
import { hostOf } from '../../../domain/indicator/indicator-address.ts';
import type { ReceiptScanner } from '../../../domain/score/score-receipt.ts';
import type { IndicatorType } from '../../../domain/vocabulary.ts';
import type { Role } from './acts.ts';
import { defang, plainName } from './quoted.ts';

const HASH_SHOWN = 12;
/** Characters of a host. A name may have 253. */
const HOST_SHOWN = 60;

const REGION_NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
const knownRegions = new Map<string, string>();

interface Known {
  readonly scanner?: ReceiptScanner;
  readonly geo?: GeoLocation;
  readonly asn?: AsnInfo;
}

/** Such as `192[.]0[.]2[.]10 (Netherlands, AS64496 Example), a research scanner of Censys,`. */
export function subjectOf({ type, value }: Indicator, known: Known): string {
  const subject = named(type, value) + placeOf(known);
  return known.scanner === undefined
    ? subject
    : `${subject}, of the research scanner ${plainName(known.scanner.name)},`;
}

/** An address from which a file came is a means of attackers, if nothing else is known of it. */
const OF_MEANS = /^(?:mention:|file:|listing:)/;

export function roleOf({ type }: Pick<Indicator, 'type'>, behaviours: readonly string[]): Role {
  if (type.startsWith('FILE_HASH')) return 'file';
  if (type === 'URL' || type === 'DOMAIN' || type === 'EMAIL') return 'means';
  const isNamed = behaviours.includes('mention:host') && behaviours.every((code) => OF_MEANS.test(code));
  return isNamed ? 'means' : 'actor';
}

function named(type: IndicatorType, value: string): string {
  switch (type) {
    case 'IPV4':
    case 'IPV6':
      return defang(value);
    case 'CIDR':
      return `The network ${defang(value)}`;
    case 'DOMAIN':
      return `The name ${defang(shortened(value, HOST_SHOWN))}`;
    case 'URL':
      return `This URL on ${defang(shortened(hostOf(value), HOST_SHOWN)) || 'no host'}`;
    case 'JA3':
      return `The TLS client with the JA3 ${defang(shortened(value, HASH_SHOWN))}`;
    case 'SSL_CERT_FINGERPRINT':
      return `The holder of the certificate ${defang(shortened(value, HASH_SHOWN))}`;
    case 'EMAIL':
      return `This mailbox at ${defang(shortened(value.slice(value.lastIndexOf('@') + 1), HOST_SHOWN))}`;
    case 'FILE_HASH_MD5':
    case 'FILE_HASH_SHA1':
    case 'FILE_HASH_SHA256':
      return `The file ${defang(shortened(value, HASH_SHOWN))}`;
    case 'UNSPECIFIED':
      return 'This value';
  }
}

function shortened(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}…`;
}

/** In parentheses after a blank; empty if nothing is known. */
function placeOf({ geo, asn }: Known): string {
  const parts: string[] = [];
  const country = geo === undefined ? '' : regionOf(geo.countryCode);
  if (country !== '') parts.push(country);
  if (asn !== undefined) parts.push(`AS${asn.number} ${plainName(asn.organization)}`.trimEnd());
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

/** The code where there is no name. */
function regionOf(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return '';
  let name = knownRegions.get(code);
  if (name === undefined) {
    name = REGION_NAMES.of(code) ?? code;
    knownRegions.set(code, name);
  }
  return name;
}
