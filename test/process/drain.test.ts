// Draining the queue beside another worker, as `tis ingest` does beside a running service.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Config, readConfig } from '../../src/config.ts';
import { MINUTE } from '../../src/domain/instant.ts';
import { createPipeline } from '../../src/service/pipeline.ts';
import { openStores } from '../../src/service/stores.ts';
import type { Job } from '../../src/store/jobs.ts';
import type { Stores, WriteTransaction } from '../../src/store/stores.ts';
import { until } from '../support/until.ts';

let config: Config;
let stores: Stores;

before(async () => {
  config = readConfig({ TIS_DATA_DIR: await mkdtemp(join(tmpdir(), 'tis-drain-')) });
  stores = await openStores(config);
});
after(async () => {
  await stores.close();
  await rm(config.dataDir, { recursive: true });
});

const ENDS: Readonly<Record<string, (tx: WriteTransaction, job: Job) => Promise<void>>> = {
  'has done it': (tx, job) => tx.complete([job]),
  'puts it back until later': (tx, job) => tx.fail(job, 'resolver timed out', Date.now() + MINUTE),
  'gives it up': (tx, job) => tx.fail(job, 'bad record', undefined),
};

for (const [end, theOther] of Object.entries(ENDS)) {
  test(`a job in the hands of another worker is waited for until that worker ${end}`, async () => {
    const job = await leasedByAnother();
    const { drained, isOver } = await drain();
    assert.equal(isOver(), false);
    await stores.write((tx) => theOther(tx, job));
    assert.equal(await drained, 0);
  });
}

test('a job that another worker puts back at once is done here', async () => {
  const job = await leasedByAnother();
  const { drained } = await drain();
  await stores.write((tx) => tx.fail(job, 'resolver timed out', Date.now()));
  assert.equal(await drained, 1);
});

async function leasedByAnother(): Promise<Job> {
  await stores.write((tx) => tx.enqueue([{ indicatorId: randomUUID(), marking: 'GREEN' }], Date.now()));
  const [job] = await stores.write((tx) => tx.claim(1, MINUTE, Date.now()));
  assert.ok(job);
  return job;
}

/** Starts to drain the queue, and resolves when no job is left to claim. */
async function drain(): Promise<{ readonly drained: Promise<number>; isOver(): boolean }> {
  let questions = 0;
  const watched: Stores = {
    ...stores,
    jobs: {
      ...stores.jobs,
      areOutstanding: (...when) => {
        questions += 1;
        return stores.jobs.areOutstanding(...when);
      },
    },
  };
  const { worker } = await createPipeline(watched, config);
  let over = false;
  const drained = worker.drain().finally(() => {
    over = true;
  });
  await until('a second look at what others hold', () => questions > 1);
  return { drained, isOver: () => over };
}
