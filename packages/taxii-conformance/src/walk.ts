// Reads a paged listing as a client does (TAXII 2.1 §3.4, §3.5).

import type { Answer } from './answer.ts';
import type { HttpClient } from './http-client.ts';
import { canonical, isObject, type JsonObject, shown } from './json-value.ts';
import { check, Violation } from './violation.ts';

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
  /** Without the items of a page that only repeats earlier ones. */
  readonly items: readonly JsonObject[];
  readonly pages: readonly Page[];
  /** Whether the listing itself has ended. */
  readonly complete: boolean;
  /** Names the page that repeats earlier items although more should come. The walk ends there. */
  readonly stuck?: string;
}

export function urlOf(path: string, query: Query = {}): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** @throws Violation for anything but a 200 with a readable list. */
export async function readPage(http: HttpClient, path: string, query: Query = {}): Promise<Page> {
  return pageOf(await http.send(urlOf(path, query)));
}

/** @throws Violation for anything but a 200 with a readable list. */
function pageOf(answer: Answer): Page {
  const items = listOf(answer, 'objects');
  check(items.every(isObject), `${answer.request}: not every item of objects is an object`);
  const { more, next } = answer.object();
  return { answer, items, more: more === true, next: typeof next === 'string' ? next : undefined };
}

/** @throws Violation for anything but a 200 with a list. An empty list may be left out. */
export function listOf(answer: Answer, member: ListMember): readonly unknown[] {
  const list = answer.object()[member] ?? [];
  check(Array.isArray(list), `${answer.request}: ${member} is not a list: ${shown(list)}`);
  return list;
}

/** A listing may have short pages, and empty ones after deletions, but only so many in a row. */
const SPARE_PAGES = 5;

/**
 * Ends at the end of the listing, after `most` items, or when the listing does not advance.
 * @param query includes the limit.
 * @param most maximum number of items.
 * @param positionAfter the query of the next page.
 * @throws Violation if a page cannot be read or does not name the next page.
 */
export async function walk(
  http: HttpClient,
  path: string,
  query: Query,
  most: number,
  positionAfter: (page: Page) => Query = byNext,
): Promise<Walk> {
  const items: JsonObject[] = [];
  const pages: Page[] = [];
  const seen = new Set<string>();
  const mostPages = Math.ceil(most / Number(query.limit ?? 1)) + SPARE_PAGES;
  let position: Query = {};
  let empty = 0;
  while (items.length < most && pages.length < mostPages && empty < SPARE_PAGES) {
    const page = await readPage(http, path, { ...query, ...position });
    const following = page.more ? positionAfter(page) : undefined;
    if (following !== undefined && repeats(page, seen, canonical(position) === canonical(following))) {
      const stuck = `${page.answer.request}: it repeats what came before, and more is true`;
      return { items: items.slice(0, most), pages, complete: false, stuck };
    }
    pages.push(page);
    items.push(...page.items);
    if (following === undefined)
      return { items: items.slice(0, most), pages, complete: items.length <= most };
    empty = page.items.length === 0 ? empty + 1 : 0;
    position = following;
  }
  return { items: items.slice(0, most), pages, complete: false };
}

/** Whether a page only repeats earlier items. An empty page repeats if it leads to itself. */
function repeats({ items }: Page, seen: Set<string>, leadsToItself: boolean): boolean {
  const fresh = items.map(canonical).filter((item) => !seen.has(item));
  for (const item of fresh) seen.add(item);
  return fresh.length === 0 && (items.length > 0 || leadsToItself);
}

/** @throws Violation if a page of the walk repeats earlier items. */
export function checkGoesOn({ stuck }: Walk): void {
  if (stuck !== undefined) throw new Violation(stuck);
}

/** Follows `next` if the server gives it, otherwise the Last header. */
function byNext(page: Page): Query {
  return page.next === undefined ? byLast(page) : { next: page.next };
}

/** Sends the Last header of the page as `added_after`, and ignores `next`. */
export function byLast({ answer }: Page): Query {
  const last = answer.header('x-taxii-date-added-last');
  check(last !== undefined, `${answer.request}: more is true, but there is neither next nor a Last header`);
  return { added_after: last };
}
