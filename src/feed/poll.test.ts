// Walks through the pages of a changing feed, with the habits of real clients.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../domain/errors.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { FeedVersion } from '../store/feed.ts';
import { cursorCodec } from './cursor.ts';
import { FEED_START, MemoryFeed } from './memory-feed.test-support.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type PollPage, type PollRequest, poll } from './poll.ts';

const cursors = cursorCodec(Buffer.alloc(32, 5));

function ask(feed: MemoryFeed, request: Partial<PollRequest>, ceiling: TlpMarking = 'AMBER_STRICT') {
  return poll(feed, cursors, { scope: 'objects', filter: {}, ...request }, ceiling);
}

const refused = (error: unknown) => error instanceof ServiceError && error.code === 'invalid_argument';

function idsOf({ entries }: PollPage<FeedVersion>): string[] {
  return entries.map(({ id }) => id);
}

/** Follows `next` to the end and sends only `next` and `limit`. */
async function walk(
  feed: MemoryFeed,
  request: Partial<PollRequest>,
  between = () => {},
): Promise<PollPage<FeedVersion>[]> {
  const pages = [await ask(feed, request)];
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) {
    between();
    const { limit } = request;
    pages.push(await ask(feed, limit === undefined ? { next } : { next, limit }));
  }
  return pages;
}

for (const limit of [1, 7, 100, MAX_PAGE_SIZE + 1]) {
  test(`a walk with limit ${limit} gives every entry once, in order, in full pages`, async () => {
    const feed = new MemoryFeed().fill(230);
    const pages = await walk(feed, { limit });
    assert.deepEqual(
      pages.flatMap(idsOf),
      Array.from({ length: 230 }, (_, index) => `indicator--${index}`),
    );
    for (const page of pages.slice(0, -1)) assert.equal(page.entries.length, limit);
  });
}

test('the page size has a default and a maximum', async () => {
  const feed = new MemoryFeed().fill(1);
  await ask(feed, {});
  await ask(feed, { limit: 1_000_000 });
  assert.deepEqual(
    feed.queries.map(({ limit }) => limit),
    [DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE],
  );
});

test('added_after is exclusive', async () => {
  const feed = new MemoryFeed().add(
    { id: 'a', dateAdded: FEED_START },
    { id: 'b', dateAdded: FEED_START + 1 },
  );
  assert.deepEqual(idsOf(await ask(feed, { addedAfter: FEED_START - 1 })), ['a', 'b']);
  assert.deepEqual(idsOf(await ask(feed, { addedAfter: FEED_START })), ['b']);
  assert.deepEqual(idsOf(await ask(feed, { addedAfter: FEED_START + 1 })), []);
});

test('an empty page says where it stands, and costs no query when nothing was added', async () => {
  const feed = new MemoryFeed().add({ id: 'a', dateAdded: FEED_START });
  assert.deepEqual(await ask(feed, { addedAfter: FEED_START }), { entries: [], after: FEED_START });
  assert.deepEqual(await ask(new MemoryFeed(), {}), { entries: [] });
  assert.equal(feed.queries.length, 0);
});

test('a walk shows the state of its beginning; what changes meanwhile comes with the next one', async () => {
  const feed = new MemoryFeed().fill(6);
  let changes = 0;
  const pages = await walk(feed, { limit: 2 }, () => {
    changes += 1;
    feed.add({ id: `new--${changes}` }, { id: 'indicator--5', version: `2026-01-02T00:00:00.00${changes}Z` });
  });
  assert.deepEqual(
    pages.flatMap(idsOf),
    [0, 1, 2, 3, 4, 5].map((index) => `indicator--${index}`),
  );

  const addedAfter = pages.at(-1)?.entries.at(-1)?.dateAdded ?? 0;
  assert.deepEqual(idsOf(await ask(feed, { addedAfter })), ['new--1', 'new--2', 'indicator--5']);
});

test('the same next gives the same page', async () => {
  const feed = new MemoryFeed().fill(5);
  const { next = '' } = await ask(feed, { limit: 2 });
  const { entries } = await ask(feed, { next, limit: 2 });
  feed.fill(3);
  assert.deepEqual((await ask(feed, { next, limit: 2 })).entries, entries);
});

test('next alone continues the filtered walk', async () => {
  const feed = new MemoryFeed().add({ id: 'i1' }, { id: 'm1', type: 'malware' }, { id: 'i2' }, { id: 'i3' });
  const { next = '' } = await ask(feed, { limit: 1, filter: { types: ['indicator'] } });
  assert.deepEqual(idsOf(await ask(feed, { next })), ['i2', 'i3']);
  await assert.rejects(ask(feed, { next, filter: { types: ['malware'] } }), refused);
});

test('the limit may change from page to page', async () => {
  const feed = new MemoryFeed().fill(6);
  const first = await ask(feed, { limit: 1 });
  const second = await ask(feed, { limit: 3, next: first.next! });
  const third = await ask(feed, { next: second.next! });
  assert.deepEqual(
    [first, second, third].map(({ entries }) => entries.length),
    [1, 3, 2],
  );
});

test('a client that resends its added_after, or moves it along, gets the same walk', async () => {
  const feed = new MemoryFeed().fill(5);
  const addedAfter = FEED_START;
  const first = await ask(feed, { limit: 2, addedAfter });
  const rest = ['indicator--2', 'indicator--3', 'indicator--4'];
  const last = first.entries.at(-1)!.dateAdded;
  for (const moved of [addedAfter, last - 500, last]) {
    assert.deepEqual(idsOf(await ask(feed, { next: first.next!, addedAfter: moved })), rest);
  }
  assert.deepEqual(idsOf(await ask(feed, { next: first.next!, addedAfter: last + 1_000 })), rest.slice(1));
});

test('the next of a walk that is over, with the added_after of another, holds nothing back', async () => {
  const feed = new MemoryFeed().fill(5);
  const [first] = await walk(feed, { limit: 3 });
  const next = first?.next ?? '';
  const last = first?.entries.at(-1)?.dateAdded ?? 0;
  feed.add({ id: 'new' }, { id: 'newer' });
  // Any number of times, and wherever the new poll begins: after the walk, inside it, or before its last page.
  for (const [addedAfter, expected] of [
    [last + 2_000, ['new', 'newer']],
    [last + 1_000, ['indicator--4', 'new', 'newer']],
    [last - 1_000, ['indicator--3', 'indicator--4', 'new', 'newer']],
  ] as const) {
    const pages = [await ask(feed, { next, addedAfter, limit: 1 })];
    for (let page = pages[0]; page?.next !== undefined; page = pages.at(-1)) {
      feed.add({ id: 'newest' });
      pages.push(await ask(feed, { next: page.next, addedAfter, limit: 1 }));
    }
    // Entries added during the new walk belong to the walk after it.
    assert.deepEqual(
      pages.flatMap(idsOf).filter((id) => id !== 'newest'),
      expected,
    );
    assert.ok(pages.length <= expected.length + 1);
  }
});

test('an added_after before the beginning of the walk contradicts its next', async () => {
  const feed = new MemoryFeed().fill(5);
  const { next = '' } = await ask(feed, { limit: 2, addedAfter: FEED_START + 1_000 });
  await assert.rejects(ask(feed, { next, addedAfter: FEED_START }), refused);
});

test('a client that polls by dates cut to milliseconds loses nothing and comes to an end', async () => {
  const feed = new MemoryFeed();
  for (let index = 0; index < 250; index += 1)
    feed.add({ id: `i${index}`, dateAdded: FEED_START + index * 10 });
  const seen = new Set<string>();
  let addedAfter = FEED_START - 1_000;
  for (let polls = 0; polls < 10; polls += 1) {
    const page = await ask(feed, { addedAfter, limit: 101 });
    for (const id of idsOf(page)) seen.add(id);
    const last = page.entries.at(-1)?.dateAdded ?? addedAfter;
    addedAfter = Math.floor(last / 1_000) * 1_000;
  }
  assert.equal(seen.size, 250);
});

test('the ceiling is the one of the caller of this request', async () => {
  const feed = new MemoryFeed().add(
    { id: 'a' },
    { id: 'b' },
    { id: 'c', tlp: 'AMBER' },
    { id: 'd', tlp: 'RED' },
  );
  const { next = '' } = await ask(feed, { limit: 1 }, 'RED');
  assert.deepEqual(idsOf(await ask(feed, { next }, 'RED')), ['b', 'c', 'd']);
  assert.deepEqual(idsOf(await ask(feed, { next }, 'GREEN')), ['b']);
});

test('what lies above the ceiling makes no further page', async () => {
  const feed = new MemoryFeed().add({ id: 'a' }, { id: 'b', tlp: 'RED' });
  assert.equal((await ask(feed, { limit: 1 }, 'GREEN')).next, undefined);
});

test('a reader sees dates only, and every continuation goes by places', async () => {
  // Much is hidden between these entries.
  const feed = new MemoryFeed();
  for (let index = 0; index < 5; index += 1)
    feed.add({ id: `i${index}`, dateAdded: FEED_START + index, place: FEED_START + 1_000 * index });
  const all = ['i0', 'i1', 'i2', 'i3', 'i4'];
  assert.deepEqual((await walk(feed, { limit: 2 })).flatMap(idsOf), all);
  for (const [index] of all.entries()) {
    const page = await ask(feed, { addedAfter: FEED_START + index });
    assert.deepEqual(idsOf(page), all.slice(index + 1));
    assert.equal(page.after, FEED_START + index);
  }
  const { next = '' } = await ask(feed, { limit: 2 });
  assert.deepEqual(idsOf(await ask(feed, { next, addedAfter: FEED_START + 2 })), all.slice(3));
  assert.equal((await ask(feed, { next, filter: {} })).after, FEED_START + 1);
});

test('a specification version that we do not have matches nothing', async () => {
  const feed = new MemoryFeed().fill(2);
  assert.deepEqual(idsOf(await ask(feed, { filter: { specVersions: ['2.0'] } })), []);
  assert.equal((await ask(feed, { filter: { specVersions: ['2.0', '2.1'] } })).entries.length, 2);
});

test('years far away are within the reach of added_after', async () => {
  const feed = new MemoryFeed().fill(2);
  assert.equal((await ask(feed, { addedAfter: -62_135_596_800_000_000 })).entries.length, 2);
  assert.deepEqual(await ask(feed, { addedAfter: 253_402_300_799_000_000 }), {
    entries: [],
    after: 253_402_300_799_000_000,
  });
});

test('whatever is written between the pages, a client ends with the newest of all and gets no version twice', async () => {
  // One step writes to some objects and reads one page. The client continues with the date of the last entry.
  const writes = fc.array(fc.nat(8), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(writes, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 5 }),
      async (steps, limit) => {
        const feed = new MemoryFeed();
        const written = new Map<string, string>();
        const received = new Map<string, string>();
        const versions = new Set<string>();
        let serial = 0;
        let next: string | undefined;
        let addedAfter: number | undefined;
        const read = async () => {
          const request = {
            limit,
            ...(next === undefined ? {} : { next }),
            ...(addedAfter === undefined ? {} : { addedAfter }),
          };
          const page = await ask(feed, request);
          for (const { id, version, dateAdded } of page.entries) {
            assert.equal(versions.has(`${id} ${version}`), false, 'repeated');
            versions.add(`${id} ${version}`);
            received.set(id, version);
            if (page.next === undefined) addedAfter = dateAdded;
          }
          next = page.next;
          return page.entries.length;
        };
        for (const step of steps) {
          for (const object of step) {
            serial += 1;
            const version = new Date(serial).toISOString();
            feed.add({ id: `i${object}`, version });
            written.set(`i${object}`, version);
          }
          await read();
        }
        while ((await read()) > 0 || next !== undefined);
        assert.deepEqual(new Map([...received].sort()), new Map([...written].sort()));
      },
    ),
  );
});
