// The feed over HTTP beside bare Fastify that sends the same bytes: pages at three depths, and the poll that finds nothing.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from './load.ts';
import { type Server, startBare } from './processes.ts';
import { load, print } from './report.ts';

const OBJECTS = '/taxii2/collections/service-global-feed/objects/';
/** The most that a page holds: few requests to walk the whole feed. */
const WALK_LIMIT = 5_000;

type Headers = Readonly<Record<string, string>>;

/** A place in the feed: `added_after` of the page that begins there. Absent = the start. */
interface Depth {
  readonly name: string;
  readonly addedAfter?: string;
}

/** @param folder for what the bare server sends. */
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
  // One client at a time: what it waits for is the server's time, its own and that of the loopback.
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

/** Those for which the feed is long enough, each behind the one before and with a whole page to come. */
function depthsBehind(places: readonly string[]): readonly Depth[] {
  // The last place of all has nothing behind it, and the one before may have less than a page.
  const end = places.length - 3;
  const middle = Math.min(Math.floor(places.length / 2) - 1, end);
  const depths = [
    { name: 'middle', addedAfter: places[middle] },
    { name: 'end', addedAfter: end > middle ? places[end] : undefined },
  ];
  return depths.flatMap(({ name, addedAfter }) => {
    if (addedAfter !== undefined) return { name, addedAfter };
    console.log(
      `TAXII pages, ${name}: left out, the feed is too short (pages of ${WALK_LIMIT}: ${places.length})`,
    );
    return [];
  });
}

/** The `X-TAXII-Date-Added-Last` of every page of a whole walk. */
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
