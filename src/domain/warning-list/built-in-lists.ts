// The warning lists of the project. They work without data of the operator.

import { RESEARCH_SCANNERS } from './research-scanners.ts';
import type { Standing, WarningList } from './warning-list.ts';
import { WELL_KNOWN_NAMES } from './well-known-names.ts';
import { WELL_KNOWN_RANGES } from './well-known-ranges.ts';

const NAMES = 'built-in names of well-known services';
const RANGES = 'built-in addresses of well-known services';
const DELIVERY = 'built-in addresses of delivery networks';

const SCANNER_LIST = 'research scanner ';

/** The name of the scanner that a list is about: without the words that only the built-in lists have. */
export function scannerName(list: string): string {
  return list.startsWith(SCANNER_LIST) ? list.slice(SCANNER_LIST.length) : list;
}

/** The newest date of the rows. */
function versionOf(rows: readonly { readonly date: string }[]): string {
  return (
    rows
      .map(({ date }) => date)
      .sort()
      .at(-1) ?? ''
  );
}

function rangeList(id: string, name: string, standing: Standing, isDelivery: boolean): WarningList {
  const rows = WELL_KNOWN_RANGES.filter(({ purpose }) => (purpose === 'delivery') === isDelivery);
  return {
    id,
    name,
    standing,
    version: versionOf(rows),
    kind: 'cidr',
    attributes: ['ip-src', 'ip-dst'],
    entries: rows.flatMap(({ ranges }) => ranges.split(' ')),
  };
}

export const BUILT_IN_LISTS: readonly WarningList[] = [
  {
    id: 'built-in-names',
    name: NAMES,
    standing: 'known',
    version: versionOf(WELL_KNOWN_NAMES),
    kind: 'hostname',
    attributes: ['domain', 'hostname', 'url'],
    entries: WELL_KNOWN_NAMES.flatMap(({ names }) => names.split(' ')),
  },
  rangeList('built-in-ranges', RANGES, 'known', false),
  // Customers of a delivery network are behind its addresses, and users of its VPN come from them.
  rangeList('built-in-delivery', DELIVERY, 'shared', true),
  ...RESEARCH_SCANNERS.filter(({ ranges }) => ranges !== '').map(
    (scanner): WarningList => ({
      id: 'built-in-scanner',
      name: `${SCANNER_LIST}${scanner.name}`,
      standing: 'scanner',
      version: scanner.date,
      kind: 'cidr',
      attributes: ['ip-src', 'ip-dst'],
      entries: scanner.ranges.split(' '),
    }),
  ),
];
