// IP addresses and ranges as bytes: parsing, formatting (RFC 5952), containment and scope (RFC 6890).

/** Four bytes or sixteen, in network order. */
export type Address = readonly number[];

/** All addresses that share the first `prefix` bits of `network`, whose other bits are zero. */
export interface AddressRange {
  readonly network: Address;
  readonly prefix: number;
}

export type AddressScope =
  | 'public'
  | 'private'
  | 'loopback'
  | 'link-local'
  | 'multicast'
  | 'unspecified'
  | 'reserved';

/**
 * Reads a dotted quad or any text form of RFC 4291 §2.2. Undefined for other text, including leading zeros, octal,
 * hexadecimal octets and zone ids. IPv4-mapped IPv6 becomes IPv4.
 */
export function parseAddress(text: string): Address | undefined {
  const address = parseIpv4(text) ?? parseIpv6(text);
  return address !== undefined && isMapped(address) ? address.slice(12) : address;
}

/** Reads `address/prefix` and clears the host bits; undefined for other text. Mapped IPv6 becomes IPv4. */
export function parseCidr(text: string): AddressRange | undefined {
  const slash = text.indexOf('/');
  const digits = text.slice(slash + 1);
  if (slash < 0 || !/^(?:0|[1-9][0-9]{0,2})$/.test(digits)) return undefined;
  const start = text.slice(0, slash);
  const address = parseIpv4(start) ?? parseIpv6(start);
  const prefix = Number(digits);
  if (address === undefined || prefix > 8 * address.length) return undefined;
  return isMapped(address) && prefix >= 96
    ? rangeOf(address.slice(12), prefix - 96)
    : rangeOf(address, prefix);
}

/** The range of the first `prefix` bits of an address. */
export function rangeOf(address: Address, prefix: number): AddressRange {
  const network = address.map((byte, index) => {
    const bits = Math.min(Math.max(prefix - 8 * index, 0), 8);
    return byte & (0xff << (8 - bits)) & 0xff;
  });
  return { network, prefix };
}

/** A dotted quad, or the canonical text form of RFC 5952 §4. */
export function formatAddress(address: Address): string {
  return address.length === 4 ? address.join('.') : formatIpv6(address);
}

export function formatCidr(range: AddressRange): string {
  return `${formatAddress(range.network)}/${range.prefix}`;
}

/** False across families: an IPv6 range contains no IPv4 address. */
export function contains(range: AddressRange, address: Address): boolean {
  return range.network.length === address.length && agree(range.network, address, range.prefix);
}

/** The bytes of a dotted quad; undefined for other text. Runs for every event, so it avoids splitting the text. */
export function parseIpv4(text: string): Address | undefined {
  if (text.length < 7 || text.length > 15) return undefined;
  const bytes: number[] = [];
  let octet = -1;
  for (let index = 0; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 48;
    if (digit >= 0 && digit <= 9) {
      if (octet === 0) return undefined;
      octet = octet < 0 ? digit : octet * 10 + digit;
      if (octet > 255) return undefined;
    } else {
      if (digit !== -2 || octet < 0 || bytes.length === 3) return undefined;
      bytes.push(octet);
      octet = -1;
    }
  }
  if (octet < 0) return undefined;
  bytes.push(octet);
  return bytes.length === 4 ? bytes : undefined;
}

function parseIpv6(text: string): Address | undefined {
  if (text.length < 2 || text.length > 45) return undefined;
  const gap = text.indexOf('::');
  if (gap < 0) {
    const bytes = parseGroups(text, true);
    return bytes?.length === 16 ? bytes : undefined;
  }
  const head = parseGroups(text.slice(0, gap), false);
  const tail = parseGroups(text.slice(gap + 2), true);
  // `::` stands for at least one group of zeros.
  if (head === undefined || tail === undefined || head.length + tail.length > 14) return undefined;
  while (head.length + tail.length < 16) head.push(0);
  return head.concat(tail);
}

function parseGroups(text: string, last: boolean): number[] | undefined {
  const bytes: number[] = [];
  if (text === '') return bytes;
  const groups = text.split(':');
  for (const [index, group] of groups.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
    } else {
      const quad = last && index === groups.length - 1 ? parseIpv4(group) : undefined;
      if (quad === undefined) return undefined;
      bytes.push(...quad);
    }
  }
  return bytes;
}

function formatIpv6(address: Address): string {
  const groups: number[] = [];
  for (let index = 0; index < 16; index += 2) {
    groups.push(((address[index] ?? 0) << 8) | (address[index + 1] ?? 0));
  }
  // Shorten the longest run of at least two zero groups, the first one of equal length (RFC 5952 §4.2).
  let start = 0;
  let length = 1;
  for (let from = 0, to = 0; to < 8; from = ++to) {
    while (to < 8 && groups[to] === 0) to++;
    if (to - from > length) [start, length] = [from, to - from];
  }
  const hex = groups.map((group) => group.toString(16));
  if (length === 1) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

/** ::ffff:0:0/96 (RFC 4291 §2.5.5.2). */
function isMapped(address: Address): boolean {
  return address.length === 16 && agree(address, MAPPED, 96);
}

const MAPPED: Address = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0];

/** Whether the first `bits` bits are equal. */
function agree(a: Address, b: Address, bits: number): boolean {
  const whole = bits >> 3;
  for (let index = 0; index < whole; index++) if (a[index] !== b[index]) return false;
  const rest = bits & 7;
  return rest === 0 || ((a[whole] ?? 0) ^ (b[whole] ?? 0)) >> (8 - rest) === 0;
}

interface SpecialRange extends AddressRange {
  readonly scope: AddressScope;
}

function special(scope: AddressScope, ...ranges: string[]): SpecialRange[] {
  return ranges.map((text) => {
    const range = parseCidr(text);
    if (range === undefined) throw new Error(`not a range: ${text}`);
    return { ...range, scope };
  });
}

/**
 * Ranges that are not public by the IANA special-purpose registries (RFC 6890 and its successors). Ranges for
 * documentation and benchmarks are missing here, since examples and tests use them and no sensor sees them by chance.
 */
const SPECIAL_IPV4 = [
  ...special('unspecified', '0.0.0.0/8'),
  ...special('private', '10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16'),
  ...special('loopback', '127.0.0.0/8'),
  ...special('link-local', '169.254.0.0/16'),
  ...special('reserved', '192.0.0.0/24'),
  ...special('multicast', '224.0.0.0/4'),
  ...special('reserved', '240.0.0.0/4'),
];

/** NAT64 (RFC 6052) and 6to4 (RFC 3056). Such an address has the scope of the IPv4 address inside it. */
const CARRIERS = special('public', '64:ff9b::/96', '2002::/16');

const SPECIAL_IPV6 = [
  ...special('unspecified', '::/128'),
  ...special('loopback', '::1/128'),
  ...special('reserved', '::/80', '100::/64', '5f00::/16'),
  ...special('private', '64:ff9b:1::/48', 'fc00::/7', 'fec0::/10'),
  ...special('link-local', 'fe80::/10'),
  ...special('multicast', 'ff00::/8'),
  ...SPECIAL_IPV4.flatMap((range) => CARRIERS.map((carrier) => embed(range, carrier))),
];

/** The IPv6 addresses that contain an IPv4 address of `range` after the prefix of `carrier`. */
function embed(range: SpecialRange, carrier: AddressRange): SpecialRange {
  const network = [...carrier.network];
  network.splice(carrier.prefix / 8, 4, ...range.network);
  return { network, prefix: carrier.prefix + range.prefix, scope: range.scope };
}

/** The IPv4 range that an IPv6 range of NAT64 or 6to4 stands for. Any other range is returned as it is. */
export function carriedRange(range: AddressRange): AddressRange {
  const carrier = CARRIERS.find(
    ({ network, prefix }) =>
      network.length === range.network.length &&
      range.prefix >= prefix &&
      agree(network, range.network, prefix),
  );
  if (carrier === undefined) return range;
  const start = carrier.prefix / 8;
  return rangeOf(range.network.slice(start, start + 4), Math.min(range.prefix - carrier.prefix, 32));
}

function specialRanges(address: Address): readonly SpecialRange[] {
  return address.length === 4 ? SPECIAL_IPV4 : SPECIAL_IPV6;
}

export function addressScope(address: Address): AddressScope {
  if (isMapped(address)) return addressScope(address.slice(12));
  for (const range of specialRanges(address)) {
    if (agree(range.network, address, range.prefix)) return range.scope;
  }
  return 'public';
}

/** `public` only if the whole range is public; otherwise the scope of a part that is not. */
export function rangeScope(range: AddressRange): AddressScope {
  for (const other of specialRanges(range.network)) {
    if (agree(other.network, range.network, Math.min(other.prefix, range.prefix))) return other.scope;
  }
  return 'public';
}
