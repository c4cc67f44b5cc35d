// The time from the intended sending of an event with a new value to the date added of its indicator in the feed. It counts
// the wait in the queue, scoring, enrichment and rendering. The commit follows the date added within some milliseconds.

import { setTimeout as delay } from 'node:timers/promises';
import { parseMicros } from '../src/domain/date-added.ts';
import type { Server } from './processes.ts';
import type { Headers } from './scenarios.ts';

export interface SentEvents {
  /** Begin of the schedule, in milliseconds since the epoch. */
  readonly begun: number;
  /** Milliseconds between two batches. */
  readonly batchMs: number;
  /** The number of the batch that first names a value. Only values that the reader may see. */
  readonly batchOf: ReadonlyMap<string, number>;
}

const ROOT = '/taxii2/collections/service-global-feed';
const LIMIT = 5_000;
const POLL_MS = 200;
const PATIENCE_MS = 180_000;
/** A feed that gets nothing for so long gets no more: some batches were not sent, since the service was too slow. */
const QUIET_MS = 10_000;

/**
 * Waits until all values are in the feed, or no more come.
 * @returns the delay of each value in milliseconds. A value that did not come counts with the time until then.
 */
export async function feedDelays(
  service: Server,
  headers: Headers,
  { begun, batchMs, batchOf }: SentEvents,
): Promise<readonly number[]> {
  const waiting = new Map(batchOf);
  const delays: number[] = [];
  let place = new Date(begun).toISOString();
  let quietSince = Date.now();
  while (waiting.size > 0 && Date.now() < Math.min(begun + PATIENCE_MS, quietSince + QUIET_MS)) {
    const { values, last = place } = await pageAfter(service, headers, place);
    for (const [value, addedAt] of values) {
      const batch = waiting.get(value);
      if (batch === undefined) continue;
      waiting.delete(value);
      delays.push(addedAt - begun - batch * batchMs);
    }
    place = last;
    if (values.length === 0) await delay(POLL_MS);
    else quietSince = Date.now();
  }
  const end = Date.now();
  return [...delays, ...Array.from(waiting.values(), (batch) => end - begun - batch * batchMs)];
}

interface Page {
  /** The values of the versions, and when they were added, in milliseconds since the epoch. */
  readonly values: readonly (readonly [string, number])[];
  /** The date of the last one. Undefined on an empty page. */
  readonly last?: string;
}

interface Version {
  readonly id: string;
  readonly date_added: string;
  readonly version: string;
}

async function pageAfter(service: Server, headers: Headers, place: string): Promise<Page> {
  const url = (kind: string) =>
    `http://127.0.0.1:${service.port}${ROOT}/${kind}/` +
    `?limit=${LIMIT}&match[type]=indicator&match[version]=all&added_after=${place}`;
  const objects = await fetch(url('objects'), { headers });
  const { objects: indicators = [] } = (await objects.json()) as {
    readonly objects?: readonly {
      readonly id: string;
      readonly modified: string;
      readonly pattern: string;
    }[];
  };
  if (objects.status !== 200) throw new Error(`the feed answered ${objects.status}`);
  const last = objects.headers.get('x-taxii-date-added-last');
  if (last === null) return { values: [] };
  // It has at least the versions of the objects, because it was read later.
  const { objects: versions = [] } = (await (await fetch(url('manifest'), { headers })).json()) as {
    readonly objects?: readonly Version[];
  };
  const added = new Map(versions.map((one) => [`${one.id} ${one.version}`, one.date_added]));
  const values = indicators.map(({ id, modified, pattern }): readonly [string, number] => [
    /= '([^']*)'/.exec(pattern)?.[1] ?? '',
    (parseMicros(added.get(`${id} ${modified}`) ?? '') ?? Number.NaN) / 1_000,
  ]);
  return { values, last };
}
