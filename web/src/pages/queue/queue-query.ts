// What the queue shows, as it is in the address of the page.

import type { SearchIndicatorsRequest } from '../../api/contract.ts';

export const ORDERS = [
  'SEARCH_ORDER_SEVERITY',
  'SEARCH_ORDER_CONFIDENCE',
  'SEARCH_ORDER_LAST_SEEN',
  'SEARCH_ORDER_CREATED',
] as const;
export const AGES = ['any', 'day', 'week'] as const;

export interface QueueQuery {
  readonly order: (typeof ORDERS)[number];
  readonly age: (typeof AGES)[number];
  readonly stale: boolean;
}

const AGE_MS = { any: 0, day: 86_400_000, week: 7 * 86_400_000 } as const;
const PAGE = 200;

export function queryOf(search: string): QueueQuery {
  const words = new URLSearchParams(search);
  return {
    order: ORDERS.find((order) => order.endsWith(`_${words.get('order')?.toUpperCase()}`)) ?? ORDERS[0],
    age: AGES.find((age) => age === words.get('age')) ?? 'any',
    stale: words.get('stale') === 'yes',
  };
}

/** The other way round. What is the default is left out. */
export function searchOf({ order, age, stale }: QueueQuery): string {
  const words = new URLSearchParams();
  if (order !== ORDERS[0]) words.set('order', order.slice('SEARCH_ORDER_'.length).toLowerCase());
  if (age !== 'any') words.set('age', age);
  if (stale) words.set('stale', 'yes');
  return words.size === 0 ? '' : `?${words}`;
}

/** @param now milliseconds. */
export function requestOf({ order, age, stale }: QueueQuery, now: number): SearchIndicatorsRequest {
  return {
    filter: {
      states: ['INDICATOR_STATE_ENRICHED'],
      ...(age === 'any' ? {} : { createdBefore: new Date(now - AGE_MS[age]).toISOString() }),
      ...(stale ? {} : { validAt: new Date(now).toISOString() }),
    },
    orderBy: order,
    pageSize: PAGE,
  };
}
