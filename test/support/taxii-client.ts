// A correct TAXII 2.1 client: pages with `next`, polls with `added_after`.

import assert from 'node:assert/strict';
import { type Answer, send } from './http-client.ts';
import type { Envelope, ManifestPage, ManifestRecord, StixObject, TaxiiFault } from './wire.ts';

export const TAXII_MEDIA_TYPE = 'application/taxii+json;version=2.1';
export const COLLECTION = '/taxii2/collections/service-global-feed';

/** More than any test has objects. */
const MOST_PAGES = 2_000;

export interface Walk<Item> {
  readonly items: readonly Item[];
  readonly pages: number;
  /** X-TAXII-Date-Added-Last of the last page. The next poll starts there. */
  readonly last: string;
}

type Query = Readonly<Record<string, string | number>>;

export class TaxiiClient {
  readonly #url: () => string;
  readonly #key: string;

  /** @param url is called for every request, because a restarted service has a new address. */
  constructor(url: () => string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** A path below the address of the service, as it is. */
  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return send(this.#url() + path, {
      credential: this.#key,
      headers: { accept: TAXII_MEDIA_TYPE, ...headers },
    });
  }

  list(listing: string, query: Query = {}): Promise<Answer> {
    const parameters = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    return this.get(`${COLLECTION}/${listing}/?${parameters}`);
  }

  objects(query: Query = {}, betweenPages?: () => Promise<void>): Promise<Walk<StixObject>> {
    return this.#walk<StixObject, Envelope>('objects', query, betweenPages);
  }

  manifest(query: Query = {}): Promise<Walk<ManifestRecord>> {
    return this.#walk<ManifestRecord, ManifestPage>('manifest', query);
  }

  async #walk<Item, Page extends { more: boolean; next?: string; objects?: readonly Item[] }>(
    listing: string,
    query: Query,
    betweenPages?: () => Promise<void>,
  ): Promise<Walk<Item>> {
    const items: Item[] = [];
    let next: string | undefined;
    for (let pages = 1; pages <= MOST_PAGES; pages++) {
      const answer = await this.list(listing, next === undefined ? query : { ...query, next });
      const page = answer.expect<Page>(200);
      items.push(...(page.objects ?? []));
      assert.equal(page.next !== undefined, page.more, 'next goes with more');
      if (!page.more) return { items, pages, last: answer.headers.get('x-taxii-date-added-last') ?? '' };
      next = page.next;
      await betweenPages?.();
    }
    throw new Error(`the walk of ${listing} comes to no end`);
  }
}

/** Asserts the error resource of TAXII 2.1 §3.6.1, and gives its code. */
export function faultOf(answer: Answer, status: number): string {
  assert.equal(answer.headers.get('content-type'), TAXII_MEDIA_TYPE);
  const fault = answer.expect<TaxiiFault>(status);
  assert.equal(fault.http_status, String(status));
  assert.ok(fault.title.length > 0 && fault.description.length > 0);
  return fault.error_code;
}

export function idsOf(objects: readonly { readonly id: string }[]): readonly string[] {
  return objects.map(({ id }) => id);
}
