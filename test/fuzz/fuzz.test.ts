// The fuzzer with a fixed number of requests. `npm run fuzz -- --seconds N` runs for longer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { send } from '../support/http-client.ts';
import { describeReport } from './describe-report.ts';
import { fuzz } from './fuzz.ts';
import { startTarget } from './target.ts';

const WARM_UP = 1_000;
const REQUESTS = 2_400;
const SEED = 20_261_120;
/** Caches and the heap grow with the first requests only. A leak keeps growing. */
const MAY_GROW = 88 * 1_024 * 1_024;

test('nothing that is sent makes the service fail, crash or grow', async (t) => {
  await using target = await startTarget();
  await fuzz(target, (requests) => requests < WARM_UP, SEED - 1);
  const before = target.memory();
  const report = await fuzz(target, (requests) => requests < REQUESTS, SEED);
  const after = target.memory();
  for (const line of describeReport(report, before, after)) t.diagnostic(line);
  assert.equal(report.requests, REQUESTS);
  // Enough requests are valid.
  assert.ok((report.statuses.get(200) ?? 0) > REQUESTS / 20);
  assert.ok(after - before < MAY_GROW, `${after - before} bytes more`);
  assert.equal((await send(`http://127.0.0.1:${target.port}/taxii2/`)).status, 200);
});
