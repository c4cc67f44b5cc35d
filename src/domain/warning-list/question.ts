// What to ask warning lists about an indicator: itself, and for a URL the host it is on.

import type { Indicator } from '../indicator/indicator.ts';
import { addressesOf, hostOf } from '../indicator/indicator-address.ts';
import type { AddressRange } from '../observable/address.ts';
import type { IndicatorType } from '../vocabulary.ts';
import type { Relation } from './warning-list.ts';

export interface Question {
  /** Lists about any of these are asked. */
  readonly types: readonly IndicatorType[];
  /** What it means to be on a list. */
  readonly relation: Relation;
  /** In lower case; compared with whole entries. */
  readonly texts: readonly string[];
  /** Compared with entries that are names or end in one. */
  readonly host?: string;
  /** Compared with entries that are ranges. */
  readonly range?: AddressRange;
}

export function questionsAbout({ type, value }: Pick<Indicator, 'type' | 'value'>): readonly Question[] {
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

/** By every custom `www.` is the same site, and lists of names leave it out. */
function spellings(name: string): readonly string[] {
  return name.startsWith('www.') ? [name, name.slice('www.'.length)] : [name];
}

/** Whether a canonical URL names a host and nothing on it. */
function isWholeSite(url: string): boolean {
  const { pathname, search } = URL.parse(url) ?? {};
  return (pathname === '/' || pathname === '') && search === '';
}
