// A full disk: the service refuses events that it cannot store, reports itself unready, and recovers without a restart.
// RLIMIT_FSIZE stands for the full disk: it needs no privileges, and a write beyond it fails.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve, tis } from '../support/command-line.ts';
import { RestClient, send } from '../support/http-client.ts';
import { events } from '../support/sensor-events.ts';
import { until } from '../support/until.ts';
import type { IngestReply, RpcStatus, WireEvent } from '../support/wire.ts';

const BATCH = 100;
const skip = process.platform === 'linux' ? false : 'prlimit is a command of Linux';

/** The largest size a file of the process may grow to. */
function limitFiles(pid: number, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
}

interface Ready {
  readonly status: string;
  readonly storeReadable: boolean;
  readonly storeWritable: boolean;
}

test('a full disk', { skip }, async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tis-full-'));
  t.after(() => rmSync(dataDir, { recursive: true }));
  const created = await tis([
    'keys',
    'create',
    '--name',
    'f',
    '--scope',
    'admin',
    '--json',
    '--data-dir',
    dataDir,
  ]);
  const { process: served, url } = await serve(dataDir, { env: { TIS_LOG_LEVEL: 'fatal' } });
  const client = new RestClient(url, JSON.parse(created.stdout).key);
  const ready = async () => (await send(`${url}/readyz`)).json<Ready>();
  const ingest = (batch: readonly WireEvent[]) =>
    client.send('/v1/sensorEvents:ingest', { method: 'POST', body: { events: batch } });

  /** True when the last event of a batch is enriched. The pipeline works in order. */
  const isEnriched = async ({ results }: IngestReply) =>
    (await client.get(results.at(-1)?.indicatorId ?? '')).state === 'INDICATOR_STATE_ENRICHED';

  const first = await client.ingest(events(BATCH));
  // Unfinished work of the pipeline would need room below.
  await until('the first batch enriched', () => isEnriched(first));

  // Room for a few more batches.
  const wal = statSync(join(dataDir, 'tis.db-wal')).size;
  limitFiles(served.pid, wal + 2_000_000);
  const acknowledged: WireEvent[] = [];
  const refused: (readonly WireEvent[])[] = [];
  await until(
    'a batch that finds no room',
    async () => {
      const batch = events(BATCH);
      const answer = await ingest(batch);
      if (answer.status === 200) {
        assert.equal(answer.json<IngestReply>().acceptedCount, BATCH);
        acknowledged.push(...batch);
        return false;
      }
      const { code, details } = answer.expect<RpcStatus>(503);
      assert.equal(code, 14);
      assert.equal(details[0]?.reason, 'STORE_UNAVAILABLE');
      assert.ok(answer.headers.has('retry-after'));
      refused.push(batch);
      return true;
    },
    120_000,
  );

  const unready = await until('unready', async () => {
    const answer = await send(`${url}/readyz`);
    return answer.status === 503 ? answer.json<Ready>() : undefined;
  });
  assert.deepEqual(
    { status: unready.status, storeReadable: unready.storeReadable, storeWritable: unready.storeWritable },
    { status: 'unready', storeReadable: true, storeWritable: false },
  );
  assert.equal((await send(`${url}/livez`)).status, 200, 'a new process would find the same disk');
  assert.ok(await isEnriched(first), 'reads go on');

  limitFiles(served.pid, 'unlimited');
  await until('ready again', async () => (await ready()).status === 'ready', 60_000);
  // The refused batch was not taken in, the acknowledged ones were.
  for (const batch of refused) {
    const reply = await client.ingest(batch);
    assert.equal(reply.acceptedCount, BATCH);
    await until('a batch enriched again', () => isEnriched(reply));
  }
  for (let from = 0; from < acknowledged.length; from += BATCH) {
    const again = await client.ingest(acknowledged.slice(from, from + BATCH));
    assert.equal(again.duplicateCount, Math.min(BATCH, acknowledged.length - from));
  }
  const { pageInfo } = await client.search({ pageSize: 1 });
  assert.equal(pageInfo.totalCount, String(2 * BATCH + acknowledged.length));
  assert.equal((await served.kill('SIGTERM')).code, 0);
  const checked = await tis(['check', '--json', '--data-dir', dataDir]);
  assert.equal(checked.code, 0, checked.stdout);
});
