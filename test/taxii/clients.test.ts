// Client styles of the field, scripted, polling while others publish: a correct one gets every version once, and a
// careless one ends and loses nothing.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { RestClient } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent, events } from '../support/sensor-events.ts';
import { COLLECTION, TaxiiClient } from '../support/taxii-client.ts';
import type { Envelope, StixObject } from '../support/wire.ts';

const ROUNDS = 4;
const WRITERS = 8;

let service: RunningService;
let client: TaxiiClient;
let writers: readonly RestClient[];

before(async () => {
  service = await RunningService.start();
  client = new TaxiiClient(() => service.url, await service.key());
  const sensorKey = await service.key({ sensor: true });
  writers = Array.from({ length: WRITERS }, () => service.as(sensorKey));
  await publish(0);
});
after(() => service.dispose());

/** Every writer brings new indicators, and a change to one that all know. */
async function publish(round: number): Promise<void> {
  await Promise.all(
    writers.map((writer, index) =>
      writer.ingest([
        ...events(6),
        anEvent({ value: `198.51.100.${index}`, tags: [`round-${round}-${performance.now()}`] }),
      ]),
    ),
  );
}

interface Page {
  readonly objects: readonly StixObject[];
  readonly next: string | undefined;
  readonly last: string;
}

async function page(query: string): Promise<Page> {
  const answer = await client.get(`${COLLECTION}/objects/?${query}`);
  const { more, next, objects = [] } = answer.expect<Envelope>(200);
  assert.equal(next !== undefined, more);
  return { objects, next, last: answer.headers.get('x-taxii-date-added-last') ?? '' };
}

/** What a client got: versions in the order they came. */
class Received {
  readonly versions: string[] = [];
  readonly newest = new Map<string, string>();

  add(objects: readonly StixObject[]): void {
    for (const { id, modified, created } of objects) {
      const version = modified ?? created;
      this.versions.push(`${id} ${version}`);
      if (version > (this.newest.get(id) ?? '')) this.newest.set(id, version);
    }
  }

  get repeated(): number {
    return this.versions.length - new Set(this.versions).size;
  }
}

/** One poll of a client, from where the one before ended; resolves to where this one ended. */
type Poll = (position: string, received: Received) => Promise<string>;

const STYLES: Readonly<Record<string, { readonly exact: boolean; readonly poll: Poll }>> = {
  'next with all filters, then the Last header': {
    exact: true,
    poll: async (position, received) => {
      const filter = `limit=7&match[version]=all${position && `&added_after=${position}`}`;
      let current = await page(filter);
      received.add(current.objects);
      while (current.next !== undefined) {
        current = await page(`${filter}&next=${current.next}`);
        received.add(current.objects);
      }
      return current.last;
    },
  },
  'next only, without the filters': {
    exact: true,
    poll: async (position, received) => {
      let current = await page(`limit=9&match[version]=all${position && `&added_after=${position}`}`);
      received.add(current.objects);
      while (current.next !== undefined) {
        current = await page(`next=${current.next}`);
        received.add(current.objects);
      }
      return current.last;
    },
  },
  'one page a cycle, added_after from the Last header': {
    exact: true,
    poll: async (position, received) => {
      let current = await page(`limit=11&match[version]=all${position && `&added_after=${position}`}`);
      received.add(current.objects);
      while (current.objects.length === 11) {
        current = await page(`limit=11&match[version]=all&added_after=${current.last}`);
        received.add(current.objects);
      }
      return current.last;
    },
  },
  'the Last header cut to milliseconds': {
    exact: false,
    poll: async (position, received) => {
      let last = position;
      for (;;) {
        const current = await page(`limit=200&match[version]=all${last && `&added_after=${last}`}`);
        received.add(current.objects);
        const cut = `${current.last.slice(0, 23)}Z`;
        if (current.next === undefined || cut === last) return cut;
        last = cut;
      }
    },
  },
  'the greatest modified as added_after': {
    exact: false,
    poll: async (position, received) => {
      let current = await page(`limit=50${position && `&added_after=${position}`}`);
      received.add(current.objects);
      while (current.next !== undefined) {
        current = await page(`limit=50&next=${current.next}`);
        received.add(current.objects);
      }
      return [...received.newest.values()].sort().at(-1) ?? '';
    },
  },
};

for (const [style, { exact, poll }] of Object.entries(STYLES)) {
  test(style, async () => {
    const received = new Received();
    let position = '';
    for (let round = 1; round <= ROUNDS; round++) {
      const writing = publish(round);
      position = await poll(position, received);
      await writing;
      if (round === 2) {
        await service.restart();
        const sensorKey = await service.key({ sensor: true });
        writers = Array.from({ length: WRITERS }, () => service.as(sensorKey));
      }
    }
    await service.settled();
    await poll(position, received);

    const { items } = await client.objects({ 'match[version]': 'all' });
    const there = new Received();
    there.add(items);
    assert.deepEqual(received.newest, there.newest);
    if (!exact) return;
    assert.equal(received.repeated, 0);
    assert.deepEqual(received.versions, there.versions);
  });
}

test('a thousand objects at once, with added_after only, ten to a page: none lost', async () => {
  await service.settled();
  let { last } = await client.objects();
  const batch = events(1_000);
  const { results } = (await writers[0]?.ingest(batch)) ?? { results: [] };
  await service.settled();
  const expected = new Set(results.map(({ indicatorId }) => `indicator--${indicatorId}`));
  const found: string[] = [];
  for (;;) {
    const current = await page(`limit=10&match[type]=indicator&added_after=${last}`);
    found.push(...current.objects.map(({ id }) => id));
    if (current.objects.length === 0) break;
    last = current.last;
  }
  assert.equal(found.length, 1_000);
  assert.deepEqual(new Set(found), expected);
});
