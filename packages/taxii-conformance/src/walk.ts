// Reading a paged listing (TAXII 2.1 §3.4, §3.5), the way a client does.

import type { Answer } from './answer.ts';
import type { HttpClient } from './http-client.ts';
import { isObject, type JsonObject, shown } from './json-value.ts';
import { check } from './violation.ts';

export type Query = Readonly<Record<string, string>>;

/** `objects` for envelopes (§3.7) and manifests (§5.3.1), `versions` for §5.8.1. */
export type ListMember = 'objects' | 'versions';

export interface Page<Item = JsonObject> {
  readonly answer: Answer;
  readonly items: readonly Item[];
  readonly more: boolean;
  readonly next: string | undefined;
}

export interface Walk {
  readonly items: readonly JsonObject[];
  readonly pages: readonly Page[];
  /** Whether the listing has ended, and not only the reading of it. */
  readonly complete: boolean;
}

export function urlOf(path: string, query: Query = {}): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** @throws Violation for anything but a 200 whose list can be read. */
export async function readPage(http: HttpClient, path: string, query: Query = {}): Promise<Page> {
  return pageOf(await http.send(urlOf(path, query)));
}

/** @throws Violation for anything but a 200 whose list can be read. */
function pageOf(answer: Answer): Page {
  const items = listOf(answer, 'objects');
  check(items.every(isObject), `${answer.request}: not every item of objects is an object`);
  const { more, next } = answer.object();
  return { answer, items, more: more === true, next: typeof next === 'string' ? next : undefined };
}

/** @throws Violation for anything but a 200 with a list, which is left out when it is empty. */
export function listOf(answer: Answer, member: ListMember): readonly unknown[] {
  const list = answer.object()[member] ?? [];
  check(Array.isArray(list), `${answer.request}: ${member} is not a list: ${shown(list)}`);
  return list;
}

/** A listing may have empty pages, where objects were deleted, but not for ever: a walk that leads nowhere ends too. */
const SPARE_PAGES = 5;

/**
 * Follows `next` where the server gives one, and otherwise goes on by `added_after` with the Last header of the page.
 * @param query with its limit.
 * @param most how many items are wanted at most.
 * @throws Violation when a page cannot be read or leads nowhere.
 */
export async function walk(http: HttpClient, path: string, query: Query, most: number): Promise<Walk> {
  const items: JsonObject[] = [];
  const pages: Page[] = [];
  const mostPages = Math.ceil(most / Number(query.limit ?? 1)) + SPARE_PAGES;
  let position: Query = {};
  while (items.length < most && pages.length < mostPages) {
    const page = await readPage(http, path, { ...query, ...position });
    pages.push(page);
    items.push(...page.items);
    if (!page.more) return { items: items.slice(0, most), pages, complete: items.length <= most };
    position = positionAfter(page);
  }
  return { items: items.slice(0, most), pages, complete: false };
}

function positionAfter({ answer, next }: Page): Query {
  if (next !== undefined) return { next };
  const last = answer.header('x-taxii-date-added-last');
  check(last !== undefined, `${answer.request}: more is true, but there is neither next nor a Last header`);
  return { added_after: last };
}
