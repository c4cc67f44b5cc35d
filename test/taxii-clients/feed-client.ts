// A client of one style that follows the feed across crashes of the service and records what it received.

import { createHash } from 'node:crypto';
import { type Answer, isBusy, send } from '../support/http-client.ts';
import { COLLECTION, TAXII_MEDIA_TYPE } from '../support/taxii-client.ts';
import type { Envelope, ManifestPage, StixObject } from '../support/wire.ts';
import type { LogEntry, Version } from './history.ts';
import type { MarkedValues } from './marked-values.ts';
import type { Reader, ServiceUnderFire } from './service-under-fire.ts';
import type { Position, Style } from './styles.ts';

/** The most pages of one poll. A client that needs more is in a loop. */
const MOST_PAGES_TO_END = 20_000;

export class FeedClient {
  readonly style: Style;
  readonly reader: Reader;
  readonly #service: ServiceUnderFire;
  readonly #values: MarkedValues;
  #position: Position = {};
  /** What it got since `forget`. */
  #versions: Version[] = [];
  /** What it got and should not know. */
  readonly #leaks: string[] = [];
  /** Whether the last version that it got of an indicator was revoked, by id. */
  readonly #shown = new Map<string, boolean>();

  constructor(style: Style, reader: Reader, service: ServiceUnderFire, values: MarkedValues) {
    this.style = style;
    this.reader = reader;
    this.#service = service;
    this.#values = values;
  }

  get name(): string {
    return `${this.reader.ceiling}, ${this.style.name}`;
  }

  get versions(): readonly Version[] {
    return this.#versions;
  }

  /** What it was told beyond its ceiling, and what it should know of marked values and does not. */
  get markingFaults(): readonly string[] {
    const { ceiling } = this.reader;
    return [...this.#leaks, ...(this.style.isCorrect ? this.#values.markFaults(this.#shown, ceiling) : [])];
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
    const query = this.style.query(this.#position);
    const answer = await get(this.#service, this.reader.key, 'objects', query);
    const { objects = [], more, next } = answer.expect<Envelope>(200);
    for (const object of objects) this.#take(object);
    this.#position = this.style.after(this.#position, {
      next,
      last: answer.headers.get('x-taxii-date-added-last') ?? '',
      modified: objects.map(({ modified = '' }) => modified),
      asked,
    });
    return more;
  }

  #take(object: StixObject): void {
    const version = versionOf(object);
    this.#versions.push(version);
    this.#leaks.push(...this.#values.leaks(object, this.reader.ceiling));
    const { about } = version;
    if (object.type === 'indicator') this.#shown.set(object.id, object.revoked === true);
    else if (this.style.isCorrect && about !== undefined && !this.#shown.has(about))
      this.#leaks.push(`${object.id} is about ${about}, which was not shown`);
  }
}

/** Everything that was added for a reader after a date, oldest first, with the dates. The feed has to be quiet. */
export async function readLog(
  service: ServiceUnderFire,
  { key }: Reader,
  after?: string,
): Promise<readonly LogEntry[]> {
  const query = {
    limit: '1000',
    'match[version]': 'all',
    ...(after === undefined ? {} : { added_after: after }),
  };
  const objects = await readAll<StixObject>(service, key, 'objects', query);
  const records = await readAll<NonNullable<ManifestPage['objects']>[number]>(
    service,
    key,
    'manifest',
    query,
  );
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
  key: string,
  listing: string,
  query: Readonly<Record<string, string>>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let next: string | undefined;
  do {
    const answer = await get(service, key, listing, next === undefined ? query : { ...query, next });
    const page = answer.expect<{ readonly objects?: readonly Item[]; readonly next?: string }>(200);
    items.push(...(page.objects ?? []));
    next = page.next;
  } while (next !== undefined);
  return items;
}

/** Retries until there is an answer. A restarted service has a new address. */
async function get(
  service: ServiceUnderFire,
  key: string,
  listing: string,
  query: Readonly<Record<string, string>>,
): Promise<Answer> {
  for (;;) {
    const url = `${await service.url()}${COLLECTION}/${listing}/?${new URLSearchParams(query)}`;
    try {
      const answer = await send(url, { credential: key, headers: { accept: TAXII_MEDIA_TYPE } });
      if (!isBusy(answer)) return answer;
    } catch (error) {
      // fetch throws a TypeError for a refused or broken connection.
      if (!(error instanceof TypeError)) throw error;
    }
  }
}

function versionOf(object: StixObject): Version {
  const { id, type, modified, created, sighting_of_ref: sighted, source_ref: source } = object;
  const about = type === 'indicator' ? id : (sighted ?? source);
  const digest = createHash('sha256').update(JSON.stringify(object)).digest('base64');
  return { id, version: modified ?? created, digest, ...(typeof about === 'string' ? { about } : {}) };
}
