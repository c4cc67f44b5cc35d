// Clients of every style with every TLP ceiling follow the feed of a real process while writers publish, an operator marks
// values anew and the process is killed again and again: nothing is lost, those that go by the standard get nothing twice,
// and nobody gets what is above the ceiling. `npm run feed-history -- --minutes 10 --seed 7` does
// rounds for as long as one likes. The suite does one in test/soak.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseArgs } from 'node:util';
import { FeedHistory } from './feed-history.ts';

const text = { type: 'string' } as const;
const { values: flags } = parseArgs({
  options: { minutes: text, writers: text, kills: text, marks: text, batches: text, seed: text },
  strict: false,
});
const MINUTES = Number(flags.minutes ?? 0);
const WRITERS = Number(flags.writers ?? 3);
/** Of each round. */
const KILLS = Number(flags.kills ?? 2);
const MARKS = Number(flags.marks ?? 4);
const BATCHES = Number(flags.batches ?? 60);
const SEED = Number(flags.seed ?? Date.now() % 1_000_000);

test(`${WRITERS} writers, every style of client, ${KILLS} kills and ${MARKS} marks a round, ${MINUTES} min, seed ${SEED}`, async (t) => {
  const end = performance.now() + MINUTES * 60_000;
  await using history = await FeedHistory.start({ writers: WRITERS, seed: SEED, everyClient: true });
  do {
    const { versions, logFaults, verdicts } = await history.round({
      kills: KILLS,
      marks: MARKS,
      batches: BATCHES,
    });
    t.diagnostic(`${versions} versions`);
    for (const { client, read, lost, repeated } of verdicts)
      t.diagnostic(`${client}: ${read} read, ${lost} lost, ${repeated} repeated`);
    assert.ok(versions > BATCHES);
    assert.deepEqual(logFaults.slice(0, 5), []);
    for (const { client, faults } of verdicts) assert.deepEqual(faults.slice(0, 5), [], client);
  } while (performance.now() < end);
});
