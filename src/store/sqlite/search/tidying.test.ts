import assert from 'node:assert/strict';
import { test } from 'node:test';
import { criteriaOf, NOW, save } from '../../contract/fixtures.ts';
import { openTemporaryStore } from '../../contract/temporary-store.test-support.ts';
import { Connection } from '../connection.ts';
import { dataFiles } from '../files.ts';
import { OpenFile } from '../open-file.ts';

/** FTS5 merges sixteen segments of a level by itself, and four of them when enough was written. */
const BATCHES = 12;
const MOST_STEPS = 100;

test('tidying merges the segments of the search index, step by step, and changes no answer', async () => {
  const opened = await openTemporaryStore(() => NOW);
  const connection = new Connection(new OpenFile(dataFiles(opened.address).store), { readOnly: true });
  const segments = () => connection.row('select count(distinct segid) from search_index_idx')?.[0];
  try {
    const { stores } = opened;
    for (let batch = 0; batch < BATCHES; batch++)
      await save(stores, [{ value: `host-${batch}.example` }, { value: `net-${batch}.example` }]);
    const found = await stores.indicators.search(criteriaOf({}, 'host'), 100);
    assert.equal(segments(), BATCHES);
    let steps = 0;
    let more = false;
    do more = await stores.write((tx) => tx.tidySearch(more));
    while (more && ++steps < MOST_STEPS);
    assert.equal(segments(), 1);
    assert.deepEqual(await stores.indicators.search(criteriaOf({}, 'host'), 100), found);
    assert.equal(found.rows.length, BATCHES);
    assert.equal(await stores.write((tx) => tx.tidySearch(false)), false);
  } finally {
    connection.close();
    await opened.dispose();
  }
});
