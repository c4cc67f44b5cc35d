// Everything at once: writers and followers of the feed, searches, clients that flood, stall, do not read and send junk,
// a clock that steps, and `kill -9`. Every follower gets the exact history, memory keeps its bound, and the service
// never fails a request. The suite does one short round; `npm run soak -- --minutes 30` kills once a minute.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { FeedHistory } from '../taxii-clients/feed-history.ts';
import type { ServiceUnderFire } from '../taxii-clients/service-under-fire.ts';
import { Crowd, type CrowdReport } from './crowd.ts';
import { growthOf, inMebibytes, MemoryRecord, peakOf, plotMemory } from './memory.ts';

const text = { type: 'string' } as const;
const { values: flags } = parseArgs({
  options: { minutes: text, seed: text, seconds: text, kills: text },
  strict: false,
});
const MINUTES = Number(flags.minutes ?? 0);
const SEED = Number(flags.seed ?? Date.now() % 1_000_000);
const IS_SHORT = MINUTES === 0;
/** Of each round. */
const KILLS = Number(flags.kills ?? (IS_SHORT ? 2 : 4));
/** From one kill to the next. */
const SECONDS = Number(flags.seconds ?? (IS_SHORT ? 1 : 60));
const BATCHES = IS_SHORT ? 25 : 40;
/** Of each round, by an operator. */
const MARKS = IS_SHORT ? 2 : 12;
const WRITERS = 3;
const PACE_MS = IS_SHORT ? 0 : 100;
const MEMORY_BOUND = 1_073_741_824;
/** Later lives may rise this much higher than earlier ones. The store grows, and so do its caches. */
const GROWTH_BOUND = 1.35;
const DAY_MS = 86_400_000;
/** Each lasts for a sixth of the time between two kills. */
const STEPS = [0, 100 * DAY_MS, 0, -DAY_MS, 7_200_000];

test(`${MINUTES} min, a kill after ${SECONDS} s, seed ${SEED}`, async (t) => {
  const end = performance.now() + MINUTES * 60_000;
  await using history = await FeedHistory.start({ writers: WRITERS, seed: SEED });
  const memory = new MemoryRecord(history.service);
  t.after(() => memory.end());
  do {
    const { round, crowd } = await disturbed(history);
    t.diagnostic(`${round.versions} versions; ${describe(crowd)}`);
    assert.ok(round.versions > BATCHES);
    assert.deepEqual(round.logFaults.slice(0, 5), []);
    const ahead = Date.parse(round.lastAdded ?? '') - Date.now();
    assert.ok(Math.abs(ahead) < DAY_MS, `the clock stepped, and the feed is at ${round.lastAdded}`);
    for (const { client, faults } of round.verdicts) assert.deepEqual(faults.slice(0, 5), [], client);
    const failures = [...crowd.statuses.keys()].filter((status) => status >= 500 && status !== 503);
    assert.deepEqual(failures, []);
    assert.equal(crowd.withoutRetryAfter, 0);
    assert.ok(crowd.searched > 0);
  } while (performance.now() < end);

  const lives = memory.end();
  for (const line of plotMemory(lives)) t.diagnostic(line);
  const growth = growthOf(lives);
  if (growth !== undefined) t.diagnostic(`later lives rose to ${growth.toFixed(2)} of the earlier ones`);
  const peak = Math.max(...lives.map(peakOf));
  assert.ok(peak < MEMORY_BOUND, `${inMebibytes(peak)} resident`);
  assert.ok(growth === undefined || growth < GROWTH_BOUND);
});

async function disturbed(history: FeedHistory) {
  const crowd = await Crowd.gather(history.service, SEED);
  const written = Promise.withResolvers<void>();
  const stepping = stepClock(history.service, written.promise);
  const report = written.promise.then(() => crowd.leave());
  const round = await history
    .round({
      kills: KILLS,
      marks: MARKS,
      batches: BATCHES,
      seconds: SECONDS,
      paceMs: PACE_MS,
      onWritten: written.resolve,
    })
    .finally(written.resolve);
  await stepping;
  return { round, crowd: await report };
}

/** Steps the clock of the service until the promise resolves. Then it shows the right time again. */
async function stepClock(service: ServiceUnderFire, until: Promise<void>): Promise<void> {
  let isOver = false;
  void until.then(() => {
    isOver = true;
  });
  for (let step = 0; !isOver; step++) {
    service.stepClock(STEPS[step % STEPS.length] ?? 0);
    await Promise.race([until, delay((SECONDS * 1_000) / 6)]);
  }
  service.stepClock(0);
}

function describe({ statuses, searched, slowestLivezMs }: CrowdReport): string {
  const counts = [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ');
  return `${searched} searches; the crowd was answered ${counts}; /livez within ${Math.ceil(slowestLivezMs)} ms`;
}
