// The ranges of CIDR indicators in memory, so that a lookup finds the ranges around ten thousand addresses without ten
// thousand times thirty reads.
//
// The table address_range only grows: a range stays when its indicator goes, and a lookup reads the indicator too. So a
// reader has all ranges once it has read those with a greater number than its last one.

import { type AddressRange, parseCidr, rangeOf } from '../../../domain/observable/address.ts';
import type { Observable } from '../../../domain/observable/observable.ts';
import type { Connection } from '../connection.ts';

/** Notes the range of an indicator that is a CIDR. */
export function noteRange(connection: Connection, { type, value }: Observable): void {
  const range = type === 'CIDR' ? rangeColumn(value) : undefined;
  if (range !== undefined) connection.run('insert or ignore into address_range (range) values (?)', range);
}

/** Whether the range of a CIDR is noted. */
export function hasRange(connection: Connection, value: string): boolean {
  const range = rangeColumn(value);
  if (range === undefined) return true;
  return connection.row('select 1 from address_range where range = ?', range) !== undefined;
}

function rangeColumn(value: string): Buffer | undefined {
  const range = parseCidr(value);
  return range === undefined ? undefined : Buffer.from([...range.network, range.prefix]);
}

export type RangesAround = (range: AddressRange) => AddressRange[];

/** The ranges of one length of address: for each prefix that occurs, longest first, the keys of its networks. */
interface Family {
  prefixes: number[];
  readonly networks: Map<number, Set<string>>;
}

/** Returns what finds ranges in the state that the store has when it is called. */
export function createAddressRanges(connection: Connection): () => RangesAround {
  const families = new Map<number, Family>(
    [4, 16].map((bytes) => [bytes, { prefixes: [], networks: new Map() }]),
  );
  let last = 0;

  const add = (bytes: Uint8Array): void => {
    const prefix = bytes.at(-1) ?? 0;
    const family = families.get(bytes.length - 1);
    if (family === undefined) throw connection.file.corrupt('an address range has a wrong length');
    let networks = family.networks.get(prefix);
    if (networks === undefined) {
      networks = new Set();
      family.networks.set(prefix, networks);
      family.prefixes = [...family.networks.keys()].sort((a, b) => b - a);
    }
    networks.add(keyOf(bytes.subarray(0, -1), prefix));
  };

  const around: RangesAround = ({ network, prefix }) => {
    const found: AddressRange[] = [];
    const { prefixes, networks } = families.get(network.length) as Family;
    for (const candidate of prefixes) {
      if (candidate > prefix) continue;
      const range = rangeOf(network, candidate);
      if (networks.get(candidate)?.has(keyOf(range.network, candidate)) === true) found.push(range);
    }
    return found;
  };

  return () => {
    for (const [number, bytes] of connection.rows(
      'select number, range from address_range where number > ? order by number',
      last,
    )) {
      add(bytes as Uint8Array);
      last = number as number;
    }
    return around;
  };
}

/** The bytes that the prefix fixes, as text. */
function keyOf(network: ArrayLike<number>, prefix: number): string {
  let key = '';
  for (let index = 0; index < prefix; index += 8) key += String.fromCharCode(network[index / 8] ?? 0);
  return key;
}
