// A client of one style that follows the feed across crashes of the service and records what it received.

import { createHash } from 'node:crypto';
import { type Answer, isBusy, send } from '../support/http-client.ts';
import { COLLECTION, TAXII_MEDIA_TYPE } from '../support/taxii-client.ts';
import type { Envelope, ManifestPage, StixObject } from '../support/wire.ts';
import type { LogEntry, Version } from './history.ts';
import type { ServiceUnderFire } from './service-under-fire.ts';
import type { Position, Style } from './styles.ts';

/** The most pages of one poll. A client that needs more is in a loop. */
const MOST_PAGES_TO_END = 20_000;

export class FeedClient {
  readonly style: Style;
  readonly #service: ServiceUnderFire;
  #position: Position = {};
  /** What it got since `forget`. */
  #versions: Version[] = [];

  constructor(style: Style, service: ServiceUnderFire) {
    this.style = style;
    this.#service = service;
  }

  get versions(): readonly Version[] {
    return this.#versions;
  }

  /** Clears the list. The client keeps its position. */
  forget(): void {
    this.#versions = [];
  }

  /**
   * Polls again and again. When `isOver` says so it begins one more poll and follows it to its end.
   * @throws when that poll has no end.
   */
  async follow(isOver: () => boolean): Promise<void> {
    let isLast = false;
    for (let pages = 0; ; pages++) {
      if (this.#position.next === undefined && isOver()) isLast = true;
      const more = await this.#step();
      if (isLast && !more) return;
      if (!isLast) pages = 0;
      else if (pages > MOST_PAGES_TO_END) throw new Error(`${this.style.name}: the feed has no end`);
    }
  }

  /** Reads one page, and retries until it arrives. */
  async #step(): Promise<boolean> {
    const asked = new Date().toISOString();
    const answer = await get(this.#service, 'objects', this.style.query(this.#position));
    const { objects = [], more, next } = answer.expect<Envelope>(200);
    this.#versions.push(...objects.map(versionOf));
    this.#position = this.style.after(this.#position, {
      next,
      last: answer.headers.get('x-taxii-date-added-last') ?? '',
      modified: objects.map(({ modified = '' }) => modified),
      asked,
    });
    return more;
  }
}

/** Everything that was added after a date, oldest first, with the dates. The feed has to be quiet. */
export async function readLog(service: ServiceUnderFire, after?: string): Promise<readonly LogEntry[]> {
  const query = {
    limit: '1000',
    'match[version]': 'all',
    ...(after === undefined ? {} : { added_after: after }),
  };
  const objects = await readAll<StixObject>(service, 'objects', query);
  const records = await readAll<NonNullable<ManifestPage['objects']>[number]>(service, 'manifest', query);
  if (objects.length !== records.length)
    throw new Error(`${objects.length} objects, ${records.length} records in the manifest`);
  return objects.map((object, index) => {
    const entry = versionOf(object);
    const record = records[index];
    if (record?.id !== entry.id || record.version !== entry.version)
      throw new Error(`object ${index} is ${entry.id}, in the manifest it is ${record?.id}`);
    return { ...entry, dateAdded: record.date_added };
  });
}

async function readAll<Item>(
  service: ServiceUnderFire,
  listing: string,
  query: Readonly<Record<string, string>>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let next: string | undefined;
  do {
    const answer = await get(service, listing, next === undefined ? query : { ...query, next });
    const page = answer.expect<{ readonly objects?: readonly Item[]; readonly next?: string }>(200);
    items.push(...(page.objects ?? []));
    next = page.next;
  } while (next !== undefined);
  return items;
}

/** Retries until there is an answer. A restarted service has a new address. */
async function get(
  service: ServiceUnderFire,
  listing: string,
  query: Readonly<Record<string, string>>,
): Promise<Answer> {
  for (;;) {
    const url = `${await service.url()}${COLLECTION}/${listing}/?${new URLSearchParams(query)}`;
    try {
      const answer = await send(url, { credential: service.key, headers: { accept: TAXII_MEDIA_TYPE } });
      if (!isBusy(answer)) return answer;
    } catch (error) {
      // fetch throws a TypeError for a refused or broken connection.
      if (!(error instanceof TypeError)) throw error;
    }
  }
}

function versionOf(object: StixObject): Version {
  const { id, modified, created } = object;
  const digest = createHash('sha256').update(JSON.stringify(object)).digest('base64');
  return { id, version: modified ?? created, digest };
}
