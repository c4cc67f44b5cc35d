// The feed over HTTP, compared with bare Fastify that sends the same bytes: pages at three depths, and a poll without news.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from './load.ts';
import { type Server, startBare } from './processes.ts';
import { load, print } from './report.ts';

const OBJECTS = '/taxii2/collections/service-global-feed/objects/';
/** The largest page size, so that walking the whole feed takes few requests. */
const WALK_LIMIT = 5_000;

type Headers = Readonly<Record<string, string>>;

/** A position in the feed. `addedAfter` is the `added_after` of the page that begins there; absent at the start. */
interface Depth {
  readonly name: string;
  readonly addedAfter?: string;
}

/** @param folder for the answers of the bare server. */
export async function benchFeed(service: Server, headers: Headers, folder: string): Promise<void> {
  const places = await walk(service, headers);
  const depths: readonly Depth[] = [{ name: 'start' }, ...depthsBehind(places)];
  for (const limit of [100, 1_000]) {
    for (const depth of depths) {
      const path = `${OBJECTS}?limit=${limit}${depth.addedAfter === undefined ? '' : `&added_after=${depth.addedAfter}`}`;
      await compare(`TAXII page of ${limit}, ${depth.name}`, service, path, headers, folder);
    }
  }
  const nothingNew = `${OBJECTS}?added_after=${places.at(-1)}`;
  const gzip = { ...headers, 'accept-encoding': 'gzip' };
  await compare('TAXII poll, nothing new, gzip', service, nothingNew, gzip, folder);
  // With a single client the latency is the time of the server, the client and the loopback, without any queueing.
  await compare('the same, one client at a time', service, nothingNew, gzip, folder, 1);
}

async function compare(
  name: string,
  service: Server,
  path: string,
  headers: Headers,
  folder: string,
  connections?: number,
): Promise<void> {
  const { body } = await fetchPage(service, path, headers);
  await writeFile(join(folder, 'body.json'), body);
  await using bare = await startBare(folder);
  const theirs = await load(bare, [request('GET', '/body', headers)], connections);
  print(name, await load(service, [request('GET', path, headers)], connections), theirs);
}

/** The depths for which the feed is long enough. Each is later than the one before and has a whole page behind it. */
function depthsBehind(places: readonly string[]): readonly Depth[] {
  // Nothing follows the last position, and less than a page may follow the one before it.
  const end = places.length - 3;
  const middle = Math.min(Math.floor(places.length / 2) - 1, end);
  const depths = [
    { name: 'middle', addedAfter: places[middle] },
    { name: 'end', addedAfter: end > middle ? places[end] : undefined },
  ];
  return depths.flatMap(({ name, addedAfter }) => {
    if (addedAfter !== undefined) return { name, addedAfter };
    console.log(
      `TAXII pages, ${name}: skipped, the feed is too short (${places.length} pages of ${WALK_LIMIT})`,
    );
    return [];
  });
}

/** Walks the whole feed. @returns the `X-TAXII-Date-Added-Last` of every page. */
async function walk(service: Server, headers: Headers): Promise<readonly string[]> {
  const places: string[] = [];
  for (;;) {
    const after = places.length === 0 ? '' : `&added_after=${places.at(-1)}`;
    const { last, body } = await fetchPage(service, `${OBJECTS}?limit=${WALK_LIMIT}${after}`, headers);
    if (!body.includes('"objects"')) return places;
    places.push(last);
  }
}

async function fetchPage(service: Server, path: string, headers: Headers) {
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, { headers });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return { body: await response.text(), last: response.headers.get('x-taxii-date-added-last') ?? '' };
}
