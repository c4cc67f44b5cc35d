// Looks an indicator up in all warning lists at once. The cost depends on the length of the value, and hardly on the
// number and length of the lists.

import type { Indicator } from '../indicator/indicator.ts';
import { addressesOf, hostOf } from '../indicator/indicator-address.ts';
import type { AddressRange } from '../observable/address.ts';
import { createAddressIndex, type IndexedRange } from '../observable/address-index.ts';
import { compareText } from '../sorted-list.ts';
import type { IndicatorType } from '../vocabulary.ts';
import {
  createSubstringSearch,
  createTextIndex,
  formatEntry,
  hostNameOfEntry,
  rangeOfEntry,
  type SubstringSearch,
  textOfEntry,
} from './list-entries.ts';
import {
  type ListKind,
  type Relation,
  type Standing,
  standingOf,
  standingUnder,
  typesOf,
  type WarningList,
} from './warning-list.ts';

export interface ListMatch {
  readonly name: string;
  readonly version: string;
  /** The entry that matched, in canonical form. */
  readonly entry: string;
  readonly relation: Relation;
  /** The standing of the indicator, given the relation. */
  readonly standing: Standing;
}

export interface WarningListIndex {
  /** One match for each list that contains the indicator, sorted by name. */
  match(indicator: Pick<Indicator, 'type' | 'value'>): readonly ListMatch[];
  /** Lists with invalid entries, and the number of those entries. */
  readonly unread: readonly { readonly name: string; readonly count: number }[];
}

/** A list without its entries. */
interface Listed {
  readonly name: string;
  readonly version: string;
  readonly standing: Standing;
  readonly types: ReadonlySet<IndicatorType>;
}

/** An entry that matched. `owner` is the index of its list. */
interface Hit {
  readonly owner: number;
  readonly relation: Relation;
  readonly entry: string;
}

/** Closest first. Of several hits on one list, the closest is reported. */
const RELATIONS: readonly Relation[] = ['itself', 'below', 'page', 'around'];

const NO_MATCHES: readonly ListMatch[] = [];

export function createWarningListIndex(lists: readonly WarningList[]): WarningListIndex {
  const listed = lists.map(
    (list): Listed => ({
      name: list.name,
      version: list.version,
      standing: standingOf(list),
      types: typesOf(list),
    }),
  );
  const isAbout = (owner: number, types: readonly IndicatorType[]) =>
    types.some((type) => listed[owner]?.types.has(type));
  const { hitsOf, unread } = indexEntries(lists, isAbout);

  return {
    match: (indicator) => {
      let closest: Map<number, Hit> | undefined;
      for (const question of questionsAbout(indicator)) {
        for (const hit of hitsOf(question)) {
          if (!isAbout(hit.owner, question.types)) continue;
          closest ??= new Map();
          const other = closest.get(hit.owner);
          if (other === undefined || closeness(hit) < closeness(other)) closest.set(hit.owner, hit);
        }
      }
      if (closest === undefined) return NO_MATCHES;
      const matches = [...closest.values()].flatMap((hit) => matchOf(hit, listed[hit.owner]));
      return matches.sort((a, b) => compareText(a.name, b.name));
    },
    unread: unread.flatMap((count, owner) => (count > 0 ? [{ name: listed[owner]?.name ?? '', count }] : [])),
  };
}

function closeness({ relation }: Hit): number {
  return RELATIONS.indexOf(relation);
}

function matchOf({ relation, entry }: Hit, list: Listed | undefined): ListMatch[] {
  if (list === undefined) return [];
  const { name, version, standing } = list;
  return [{ name, version, entry, relation, standing: standingUnder(standing, relation) }];
}

interface EntryIndex {
  /** All hits, also on lists of other types. */
  hitsOf(question: Question): Iterable<Hit>;
  /** The number of invalid entries, by the index of their list. */
  readonly unread: readonly number[];
}

/** @param isAbout whether a list covers one of these types. Substring lists of other types are not searched. */
function indexEntries(
  lists: readonly WarningList[],
  isAbout: (owner: number, types: readonly IndicatorType[]) => boolean,
): EntryIndex {
  const texts = createTextIndex();
  const hosts = createTextIndex();
  const ranges: IndexedRange[] = [];
  const substrings: { readonly owner: number; readonly search: SubstringSearch }[] = [];

  /** Each function adds the entries of one list and returns the number of invalid ones. */
  const take: Readonly<Record<ListKind, (entries: readonly string[], owner: number) => number>> = {
    string: (entries, owner) => countFalse(entries, (entry) => texts.add(textOfEntry(entry), owner)),
    hostname: (entries, owner) => countFalse(entries, (entry) => hosts.add(hostNameOfEntry(entry), owner)),
    cidr: (entries, owner) =>
      countFalse(entries, (entry) => {
        const range = rangeOfEntry(entry);
        if (range !== undefined) ranges.push({ range, owner });
        return range !== undefined;
      }),
    substring: (entries, owner) => {
      const search = createSubstringSearch(entries.map(textOfEntry));
      substrings.push({ owner, search });
      return search.unread;
    },
  };
  const unread = lists.map(({ kind, entries }, owner) => take[kind](entries, owner));
  const addresses = createAddressIndex(ranges);

  function* hitsOf({ types, relation, texts: wanted, host, range }: Question): Generator<Hit> {
    for (const text of wanted) {
      for (const owner of texts.owners(text)) yield { owner, relation, entry: text };
      for (const { owner, search } of substrings) {
        const entry = isAbout(owner, types) ? search.find(text) : undefined;
        if (entry !== undefined) yield { owner, relation, entry };
      }
    }
    if (host !== undefined) yield* hostHits(host, relation);
    if (range !== undefined) yield* rangeHits(range, relation);
  }

  /** The host and all its parent domains. */
  function* hostHits(host: string, relation: Relation): Generator<Hit> {
    for (let start = 0; ; ) {
      const name = host.slice(start);
      const reached = start > 0 && relation === 'itself' ? 'below' : relation;
      for (const owner of hosts.owners(name)) yield { owner, relation: reached, entry: name };
      const dot = host.indexOf('.', start);
      if (dot < 0) return;
      start = dot + 1;
    }
  }

  function* rangeHits(range: AddressRange, relation: Relation): Generator<Hit> {
    for (const around of addresses.around(range))
      yield { owner: around.owner, relation, entry: formatEntry(around.range) };
    if (range.prefix === 8 * range.network.length) return;
    for (const inside of addresses.inside(range, lists.length))
      yield { owner: inside.owner, relation: 'around', entry: formatEntry(inside.range) };
  }

  return { hitsOf, unread };
}

function countFalse(entries: readonly string[], read: (entry: string) => boolean): number {
  let count = 0;
  for (const entry of entries) if (!read(entry)) count++;
  return count;
}

interface Question {
  /** Lists that cover one of these types are searched. */
  readonly types: readonly IndicatorType[];
  /** The relation of a match. */
  readonly relation: Relation;
  /** In lower case, compared with whole entries. */
  readonly texts: readonly string[];
  /** Compared with host names. */
  readonly host?: string;
  /** Compared with ranges. */
  readonly range?: AddressRange;
}

function questionsAbout({ type, value }: Pick<Indicator, 'type' | 'value'>): readonly Question[] {
  const texts = [value.toLowerCase()];
  const itself = { types: [type], relation: 'itself', texts } as const;
  if (type === 'DOMAIN') return [{ ...itself, texts: spellings(value), host: value }];
  const range = addressesOf({ type, value });
  if (type !== 'URL') return [range === undefined ? itself : { ...itself, range }];

  const relation = isWholeSite(value) ? 'itself' : 'page';
  const host = hostOf(value);
  if (range === undefined)
    return [itself, { types: ['URL', 'DOMAIN'], relation, texts: spellings(host), host }];
  const family = range.network.length === 4 ? 'IPV4' : 'IPV6';
  return [itself, { types: ['URL', family], relation, texts: [host], range }];
}

/** `www.` names the same site, and lists of names omit it. */
function spellings(name: string): readonly string[] {
  return name.startsWith('www.') ? [name, name.slice('www.'.length)] : [name];
}

/** Whether a canonical URL has neither a path nor a query. */
function isWholeSite(url: string): boolean {
  const { pathname, search } = URL.parse(url) ?? {};
  return (pathname === '/' || pathname === '') && search === '';
}
