// A property of damaged files: whatever is overwritten, every failure of the store says that it is damaged, and none is a
// fault of the service. An overwritten page never leads to another answer without being noticed. A single bit may, where a
// row has no checksum: the test prints how often.

import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parseArgs } from 'node:util';
import { ServiceError } from '../../domain/errors.ts';
import { aVersion, aWrite, criteriaOf, idOf, keyOf, NOW } from '../contract/fixtures.ts';
import { aUse } from '../contract/rule.ts';
import type { Stores } from '../stores.ts';
import type { UsageStore } from '../usage.ts';
import { createSqliteDriver } from './driver.ts';
import { dataFiles } from './files.ts';

const clock = () => NOW;
const PAGE = 8_192;
const { values: flags } = parseArgs({
  options: { seed: { type: 'string' }, runs: { type: 'string' } },
  strict: false,
});
/** `npx node src/store/sqlite/junk-pages.test.ts --seed 11 --runs 400` tries others. */
const SEED = Number(flags.seed ?? 5);
const RUNS = Number(flags.runs ?? 12);
const INDICATORS = 300;

let folder: string;
let sound: string;
let expected: readonly string[];

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tis-junk-'));
  sound = join(folder, 'sound');
  const { stores, usage } = await open(sound);
  const keys = Array.from({ length: INDICATORS }, (_, index) => `host-${index}.example`);
  await stores.write(async (tx) => {
    await tx.save(
      keys.map((value, index) => aWrite({ value, createdAt: NOW + index, tags: [`tag ${index % 7}`] })),
    );
    await tx.enqueue(keys.map((key) => keyOf(idOf(key))).slice(0, 50), NOW);
    await tx.rememberEvents(
      keys.map((key) => idOf(key).replaceAll('-', '')),
      NOW,
    );
    const object = (key: string, age: number) =>
      JSON.stringify({ id: `indicator--${idOf(key)}`, age, description: key.repeat(age === 0 ? 20 : 1_000) });
    // Some objects are longer than a page.
    await tx.append(
      keys.flatMap((key, index) =>
        [0, index % 50 === 0 ? 1 : 2].map((age) =>
          aVersion(key, age, { object: object(key, age === 1 ? 1 : 0) }),
        ),
      ),
      NOW,
    );
  });
  for (let hour = 0; hour < 200; hour++) {
    await usage.record([aUse({ at: NOW + hour * 3_600_000 })], true);
  }
  expected = await answers(stores, usage);
  await usage.close();
  await stores.close();
});
after(() => rmSync(folder, { recursive: true }));

async function open(dataDir: string): Promise<{ stores: Stores; usage: UsageStore }> {
  const driver = createSqliteDriver(dataDir);
  const stores = await driver.openStores(clock);
  try {
    return { stores, usage: await driver.openUsage() };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** What each of many reads answers: JSON, or the reason of the error. */
async function answers(stores: Stores, usage: UsageStore): Promise<string[]> {
  const feed = { until: Number.MAX_SAFE_INTEGER, limit: 5_000, ceiling: 'RED' } as const;
  const reads: (() => Promise<unknown>)[] = [
    () => stores.indicators.search(criteriaOf(), 1_000),
    () => stores.indicators.search(criteriaOf({ tags: ['tag 3'] }), 1_000),
    () => stores.indicators.search(criteriaOf({}, 'host-77'), 1_000),
    () => stores.indicators.count(criteriaOf({ tags: ['tag 5'] }), 1_000),
    () => stores.indicators.document(idOf('host-123.example'), 'RED'),
    () => stores.indicators.record(idOf('host-200.example'), 'RED'),
    () => stores.feed.versions(feed),
    () => stores.feed.objects(feed),
    () => stores.feed.bounds('RED'),
    () => stores.jobs.counts(),
    () => stores.jobs.nextDueAt(),
    () => stores.keys.list(),
    () => stores.audit(10),
    () => usage.report({ account: 'default', bucket: 'DAY', window: {} }, 1_000),
    () => usage.holders(),
    () => usage.outbox(),
  ];
  const found: string[] = [];
  for (const read of reads) found.push(await read().then(asText, reasonOf));
  return found;
}

function asText(value: unknown): string {
  return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)) ?? 'undefined';
}

function reasonOf(error: unknown): string {
  assert.ok(error instanceof ServiceError, String(error));
  return error.details.reason === 'INTERNAL'
    ? `INTERNAL ${String(error.details.cause)}`
    : error.details.reason;
}

/** Changes that write to every part. The reasons of those that fail. */
async function changes(stores: Stores, usage: UsageStore): Promise<string[]> {
  const work = [
    stores.write((tx) =>
      tx.save([aWrite({ value: 'host-5.example', tags: ['new'] }), aWrite({ value: 'new' })]),
    ),
    stores.write((tx) => tx.append([aVersion('host-9.example', 9), aVersion('new', 0)], NOW)),
    stores.write(async (tx) => tx.complete(await tx.claim(500, 1_000, NOW))),
    stores.write((tx) => tx.load([idOf('host-7.example'), idOf('host-250.example')])),
    usage.record([aUse()], true),
  ];
  const settled = await Promise.allSettled(work);
  return settled.flatMap((one) => (one.status === 'rejected' ? [reasonOf(one.reason)] : []));
}

type Harm = (bytes: Buffer, page: number, random: () => number) => void;

const HARMS: Readonly<Record<string, Harm>> = {
  'a page of junk': (bytes, page, random) => {
    for (let at = page * PAGE; at < (page + 1) * PAGE; at++) bytes[at] = Math.floor(random() * 256);
  },
  'a page of zeros': (bytes, page) => bytes.fill(0, page * PAGE, (page + 1) * PAGE),
  'half a page of junk': (bytes, page, random) => {
    for (let at = page * PAGE + PAGE / 2; at < (page + 1) * PAGE; at++)
      bytes[at] = Math.floor(random() * 256);
  },
  'another page': (bytes, page, random) => {
    const from = Math.floor(random() * (bytes.length / PAGE)) * PAGE;
    bytes.copyWithin(page * PAGE, from, from + PAGE);
  },
  'one bit': (bytes, page, random) => {
    const at = page * PAGE + Math.floor(random() * PAGE);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
  },
};

/** Damages one file of a copy. */
function damage(dataDir: string, harm: Harm, file: 'store' | 'usage', random: () => number): void {
  const path = dataFiles(dataDir)[file];
  for (const name of ['store', 'usage'] as const) {
    for (const suffix of ['-wal', '-shm']) rmSync(dataFiles(dataDir)[name] + suffix, { force: true });
    copyFileSync(dataFiles(sound)[name], dataFiles(dataDir)[name]);
  }
  const bytes = readFileSync(path);
  harm(bytes, Math.floor(random() * (bytes.length / PAGE)), random);
  writeFileSync(path, bytes);
}

interface Tally {
  noticed: number;
  harmless: number;
  unseen: number;
}

for (const [name, harm] of Object.entries(HARMS)) {
  test(`${name}, ${RUNS} times, seed ${SEED}`, async (t) => {
    const random = seededRandom(SEED);
    const dataDir = mkdtempSync(join(folder, 'case-'));
    const tally: Tally = { noticed: 0, harmless: 0, unseen: 0 };
    for (let run = 0; run < RUNS; run++) {
      damage(dataDir, harm, run % 4 === 0 ? 'usage' : 'store', random);
      const found = await createSqliteDriver(dataDir).inspection.run().catch(reasonOf);
      const { wrong, told } = await examine(dataDir, `${name} ${run}`);
      if (found !== undefined || told) tally.noticed += 1;
      else if (wrong) tally.unseen += 1;
      else tally.harmless += 1;
    }
    t.diagnostic(JSON.stringify(tally));
    if (name.startsWith('a page of')) assert.equal(tally.unseen, 0);
  });
}

/** Opens, reads and writes as if there had been no inspection. Every failure must be one of damage. */
async function examine(dataDir: string, what: string): Promise<{ wrong: boolean; told: boolean }> {
  let opened: Awaited<ReturnType<typeof open>>;
  try {
    opened = await open(dataDir);
  } catch (error) {
    requireNamed(reasonOf(error), what);
    return { wrong: false, told: true };
  }
  const { stores, usage } = opened;
  const given = await answers(stores, usage);
  const different = given.filter((answer, index) => answer !== expected[index]);
  const failed = different.filter((answer) => /^[A-Z_]{5,}/.test(answer));
  const refused = await changes(stores, usage);
  for (const reason of [...failed, ...refused]) requireNamed(reason, what);
  await usage.close().catch(() => undefined);
  await stores.close().catch(() => undefined);
  return { wrong: different.length > failed.length, told: failed.length + refused.length > 0 };
}

/** Damage of the header can look like another version of the schema. */
function requireNamed(reason: string, what: string): void {
  assert.ok(['STORE_DAMAGED', 'STORE_TOO_NEW', 'STORE_TOO_OLD'].includes(reason), `${what}: ${reason}`);
}

/** Numbers from 0 to 1 by the generator of Park and Miller: the same ones for the same seed. */
function seededRandom(seed: number): () => number {
  const modulus = 2_147_483_647;
  let state = 1 + (seed % (modulus - 1));
  return () => {
    state = (state * 48_271) % modulus;
    return state / modulus;
  };
}
