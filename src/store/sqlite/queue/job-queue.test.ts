import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idOf, keyOf, NOW } from '../../contract/fixtures.ts';
import { openTemporaryStore } from '../../contract/temporary-store.test-support.ts';
import { Connection } from '../connection.ts';
import { dataFiles } from '../files.ts';
import { OpenFile } from '../open-file.ts';
import { claimJobs, enqueueJobs } from './job-queue.ts';

test('queueing what is due already writes nothing; what is leased, or due later, it does', async () => {
  const opened = await openTemporaryStore(() => NOW);
  const connection = new Connection(new OpenFile(dataFiles(opened.address).store), { readOnly: false });
  const changes = () => Number(connection.row('select total_changes()')?.[0]);
  const written = (now: number) => {
    const before = changes();
    enqueueJobs(connection, [keyOf(idOf('a'))], now);
    return changes() - before;
  };
  try {
    assert.equal(written(NOW), 1);
    assert.equal(written(NOW), 0);
    assert.equal(written(NOW + 1), 0);
    assert.equal(written(NOW - 1), 1, 'it is due sooner');
    claimJobs(connection, 1, 1_000, NOW);
    assert.equal(written(NOW), 1, 'it has to run again');
  } finally {
    connection.close();
    await opened.dispose();
  }
});
