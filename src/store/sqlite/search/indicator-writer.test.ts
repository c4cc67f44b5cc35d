// The search index is updated by differences. It must always equal an index that is built anew.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import fc from 'fast-check';
import { readersOf } from '../../../domain/audience.ts';
import { arbitraryIndicator } from '../../contract/arbitraries.ts';
import { aWrite, NOW } from '../../contract/fixtures.ts';
import { openTemporaryStore } from '../../contract/temporary-store.test-support.ts';
import { Connection } from '../connection.ts';
import { dataFiles } from '../files.ts';
import { OpenFile } from '../open-file.ts';
import { mirrored, tokensOf } from './indexed-rows.ts';
import { saveIndicators } from './indicator-writer.ts';
import { unpackRecord } from './packed-record.ts';
import { facetTokens } from './search-tokens.ts';
import { searchedText } from './text-tokens.ts';

const SEED = 20_260_314;
const IDENTITIES = 12;

/** One change: some of a dozen indicators get new values. It may fail in the end. */
const arbitraryChange = fc.record({
  writes: fc.array(fc.tuple(fc.nat({ max: IDENTITIES - 1 }), arbitraryIndicator), { maxLength: 4 }),
  fails: fc.boolean(),
});

test('after random changes, committed together or undone, the index is that of the records', async () => {
  const groups = fc.array(fc.array(arbitraryChange, { minLength: 1, maxLength: 3 }), { maxLength: 12 });
  const property = fc.asyncProperty(groups, async (changes) => {
    const opened = await openTemporaryStore(() => NOW);
    try {
      for (const group of changes) {
        await Promise.allSettled(
          group.map(({ writes, fails }) =>
            opened.stores.write(async (tx) => {
              for (const [number, members] of writes) {
                await tx.save([
                  aWrite({ ...members, id: `00000000-0000-4000-8000-${100_000_000_000 + number}` }),
                ]);
              }
              if (fails) throw new Error('undone');
            }),
          ),
        );
      }
      assert.deepEqual(...indexedAndExpected(dataFiles(opened.address).store));
    } finally {
      await opened.dispose();
    }
  });
  await fc.assert(property, { numRuns: 60, seed: SEED });
});

test('an indicator that changes hundreds of times leaves nothing of its past in the index', async () => {
  const opened = await openTemporaryStore(() => NOW);
  try {
    const [versions = []] = fc.sample(fc.array(arbitraryIndicator, { minLength: 300, maxLength: 300 }), {
      numRuns: 1,
      seed: SEED,
    });
    const id = aWrite().record.indicator.id;
    for (const members of versions) await opened.stores.write((tx) => tx.save([aWrite({ ...members, id })]));
    // Only removes tokens.
    for (const tags of [['a', 'b', 'c'], ['a', 'b'], ['a'], []]) {
      await opened.stores.write((tx) => tx.save([aWrite({ tags })]));
    }
    assert.deepEqual(...indexedAndExpected(dataFiles(opened.address).store));
  } finally {
    await opened.dispose();
  }
});

test('saving many indicators writes the index as often, whatever their order', async () => {
  const opened = await openTemporaryStore(() => NOW);
  const connection = new Connection(new OpenFile(dataFiles(opened.address).store), { readOnly: false });
  const writes = Array.from({ length: 200 }, (_, number) => ({ value: `host-${number}.example` }));
  const changesOf = (tags: readonly string[], order: readonly (typeof writes)[number][]) => {
    const before = changesSoFar(connection);
    connection.database.exec('begin');
    saveIndicators(
      connection,
      order.map((write) => aWrite({ ...write, tags })),
    );
    connection.database.exec('commit');
    return changesSoFar(connection) - before;
  };
  try {
    changesOf(['plant'], writes);
    const inOrder = changesOf(['pump'], writes);
    const backwards = changesOf(['valve'], writes.toReversed());
    // A segment for each row would add some changes for each of the two hundred rows.
    assert.ok(Math.abs(backwards - inOrder) < 20, `${backwards} changes against ${inOrder}`);
    assert.deepEqual(...indexedAndExpected(dataFiles(opened.address).store));
  } finally {
    connection.close();
    await opened.dispose();
  }
});

function changesSoFar(connection: Connection): number {
  return Number(connection.row('select total_changes()')?.[0]);
}

/** The pairs of the index as `row token` lines, and the pairs that follow from the records of the same file. */
function indexedAndExpected(path: string): [string[], string[]] {
  const database = new DatabaseSync(path);
  try {
    database.exec(`
      insert into search_index (search_index) values ('integrity-check');
      create virtual table temp.indexed using fts5vocab(main, search_index, instance);
    `);
    const indexed = database.prepare(`select ${mirrored('doc')} as seq, term from temp.indexed`).all();
    const records = database.prepare('select seq, record from indicator_record').all();
    return [
      indexed.map(({ seq, term }) => `${seq} ${term}`).toSorted(),
      records
        .flatMap(({ seq, record }) => {
          const { indicator } = unpackRecord(record);
          const facets = facetTokens(indicator, readersOf(indicator.tlp));
          return tokensOf({ facets, ...searchedText(indicator) }).map((token) => `${seq} ${token}`);
        })
        .toSorted(),
    ];
  } finally {
    database.close();
  }
}
