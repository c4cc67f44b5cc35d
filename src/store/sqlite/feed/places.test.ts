// What the contract cannot show: that an index finds a page, and that the search for its places is bounded.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readersOf } from '../../../domain/audience.ts';
import { aVersion, NOW } from '../../contract/fixtures.ts';
import { openTemporaryStore, type TemporaryStore } from '../../contract/temporary-store.test-support.ts';
import type { FeedAppend, FeedQuery } from '../../feed.ts';
import { Connection } from '../connection.ts';
import { dataFiles } from '../files.ts';
import { OpenFile } from '../open-file.ts';
import { WHOLE_FEED } from './listing.ts';
import { type LogQuery, logQuery } from './log-query.ts';
import { feedPartitions } from './partitions.ts';
import { placesOf } from './places.ts';

const COLLECTIONS = Array.from({ length: 10 }, (_, index) => `c${index}`);
/** Every set of the collections has an object of its own. */
const SETS = Array.from({ length: 2 ** COLLECTIONS.length }, (_, set) => set);

let opened: TemporaryStore;
let connection: Connection;

before(async () => {
  opened = await openTemporaryStore(() => NOW);
  const inSet = (set: number, age: number, changes: Partial<FeedAppend> = {}) =>
    aVersion(`${set}`, age, {
      collections: COLLECTIONS.filter((_, index) => (set >> index) & 1),
      ...changes,
    });
  await opened.stores.write(async (tx) => {
    for (const id of COLLECTIONS) await tx.collections.declare({ id, definition: '{}' });
    await tx.append([...SETS.map((set) => inSet(set, 0)), aVersion('x', 0, { type: 'malware' })], NOW);
    await tx.append(
      SETS.map((set) => inSet(set, 1)),
      NOW,
    );
  });
  connection = new Connection(new OpenFile(dataFiles(opened.address).store), { readOnly: true });
});
after(async () => {
  connection.close();
  await opened.dispose();
});

function asked(query: Partial<FeedQuery>): LogQuery {
  return logQuery(connection, { until: Number.MAX_SAFE_INTEGER, limit: 10, ceiling: 'RED', ...query });
}

/** The query plan of SQLite. */
function planOf(query: Partial<FeedQuery>): string {
  const { sql, values } = placesOf(connection, asked(query), WHOLE_FEED);
  const plan = connection.rows(`explain query plan ${sql} order by date_added limit 11`, ...values);
  return plan.map((row) => row.at(-1)).join('\n');
}

test('the partitions that occur are found, up to a number of them', () => {
  const all = feedPartitions(connection, asked({}), 5_000);
  assert.equal(all?.length, SETS.length + 1);
  assert.equal(new Set(all?.map(({ collections }) => collections)).size, SETS.length);
  assert.deepEqual(feedPartitions(connection, asked({ types: ['malware', 'tool'] }), 2), [
    { collections: 1, type: 'malware', audience: readersOf('GREEN') },
  ]);
  assert.equal(feedPartitions(connection, asked({}), 400), undefined);
  for (const none of [{ types: ['tool'] }, { ceiling: 'CLEAR' }] as const)
    assert.deepEqual(feedPartitions(connection, asked(none), 400), []);
});

test('of what is not there nothing is read, and of much that is there straight along the log', () => {
  assert.match(
    planOf({ versions: 'all' }),
    /^SEARCH feed USING INTEGER PRIMARY KEY \(rowid>\? AND rowid<\?\)/,
  );
  for (const none of [{ types: ['tool'] }, { ceiling: 'CLEAR' }] as const)
    assert.match(planOf({ versions: 'all', ...none }), /^SCAN CONSTANT ROW$/m);
  assert.match(
    planOf({ versions: 'all', types: ['malware'] }),
    /^SEARCH feed USING COVERING INDEX feed_partition /m,
  );
});

test('superseded versions are passed over by an index where first ones are asked for', () => {
  assert.match(planOf({ versions: 'first' }), /^SEARCH feed USING INDEX feed_joined \(date_added>/);
  const types = ['malware'];
  assert.match(planOf({ versions: 'first', types }), /^SEARCH feed USING INDEX feed_joined_partition /m);
  const both = planOf({ versions: ['first', 'last', aVersion('', 0).version], types });
  for (const index of [
    'feed_joined_partition',
    'PRIMARY KEY \\(superseded_at',
    'feed_instant',
    'PRIMARY KEY \\(listing',
  ])
    assert.match(both, new RegExp(`SEARCH .* USING .*${index}`));
  assert.doesNotMatch(both, /SCAN feed/);
});
