// A machine whose clock steps: what has ended stays ended, nothing is forgotten, the feed keeps to the time, and the
// operator has a way out.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { serve, type TisProcess, tis } from '../support/command-line.ts';
import { type Answer, RestClient, send } from '../support/http-client.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { events } from '../support/sensor-events.ts';
import { SteppingClock } from '../support/stepping-clock.ts';
import { TaxiiClient } from '../support/taxii-client.ts';
import { until } from '../support/until.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const dataDir = mkdtempSync(join(tmpdir(), 'tis-clock-test-'));
const clock = new SteppingClock();
let provider: IdentityProvider;
let process: TisProcess;
let url: string;
let key: string;

before(async () => {
  provider = await startIdentityProvider();
  key = await createKey();
  await start();
});
after(async () => {
  await process.kill('SIGTERM');
  await provider.close();
  clock.dispose();
  rmSync(dataDir, { recursive: true });
});

async function start(): Promise<void> {
  ({ process, url } = await serve(dataDir, {
    nodeArguments: clock.nodeArguments,
    env: {
      TIS_JWT_ISSUER: provider.issuer,
      TIS_JWT_AUDIENCE: provider.audience,
      TIS_JWT_JWKS_URL: provider.jwksUrl,
    },
  }));
}

async function command<Result>(...words: readonly string[]): Promise<Result> {
  const { nodeArguments } = clock;
  const { code, stdout, stderr } = await tis([...words, '--json', '--data-dir', dataDir], { nodeArguments });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

async function createKey(...words: readonly string[]): Promise<string> {
  const scopes = ['--scope', 'events:write', '--scope', 'indicators:read', '--scope', 'usage:read'];
  return (await command<{ key: string }>('keys', 'create', '--name', 'clock', ...scopes, ...words)).key;
}

const statusOf = async (credential: string) =>
  (await send(`${url}/v1/indicators/${crypto.randomUUID()}`, { credential })).status;

const readiness = async (): Promise<{ answer: Answer; clock: string; clockOffsetSeconds?: number }> => {
  const answer = await send(`${url}/readyz`);
  return { answer, ...answer.json<{ clock: string; clockOffsetSeconds?: number }>() };
};

/** Waits until the service says so. With a clock that stepped it is ready all the same. */
const clockIs = (state: string) =>
  until(`a clock that is ${state}`, async () => {
    const ready = await readiness();
    if (ready.clock !== state) return undefined;
    if (state !== 'steady') assert.equal(ready.answer.status, 200, ready.answer.text);
    return ready.clockOffsetSeconds ?? 0;
  });

const nextDateAdded = async (): Promise<number> => {
  const [event] = events(1);
  assert.ok(event);
  const client = new RestClient(url, key);
  const { results } = await client.ingest([event]);
  const id = `indicator--${results[0]?.indicatorId}`;
  return until('the new indicator in the feed', async () => {
    const { items } = await new TaxiiClient(() => url, key).manifest({ 'match[id]': id });
    return items.length === 0 ? undefined : Date.parse(items[0]?.date_added ?? '');
  });
};

const isNear = (one: number, other: number) => Math.abs(one - other) < HOUR / 2;

test('a key or a token that has ended does not work again when the clock steps back, not even after a crash', async () => {
  const short = await createKey('--expires', '1h');
  const token = provider.token({ scope: 'indicators:read' });
  for (const valid of [short, token]) assert.equal(await statusOf(valid), 404);
  clock.set(2 * HOUR);
  for (const ended of [short, token]) assert.equal(await statusOf(ended), 401);
  clock.set(0);
  for (const ended of [short, token]) assert.equal(await statusOf(ended), 401);
  await process.kill('SIGKILL');
  await start();
  for (const ended of [short, token]) assert.equal(await statusOf(ended), 401);
  assert.equal(await statusOf(key), 404);
  assert.ok(isNear((await clockIs('behind')) * 1_000, -2 * HOUR));
  assert.match(process.stderr, /"level":50.*"clock":"behind".*tis clock accept/);

  const accepted = await command<{ state: string }>('clock', 'accept');
  assert.equal(accepted.state, 'steady');
  await clockIs('steady');
  assert.equal(await statusOf(short), 404, 'the operator said that the hour has not passed');
  const [entry] = await command<{ action: string }[]>('audit');
  assert.equal(entry?.action, 'clock.accept');
});

test('a step forward forgets nothing, dates and bills nothing in the future, and needs no operator', async () => {
  const client = new RestClient(url, key);
  const batch = events(3);
  await client.ingest(batch);
  clock.set(100 * DAY);
  assert.ok(isNear((await clockIs('ahead')) * 1_000, 100 * DAY));
  assert.ok(isNear(await nextDateAdded(), Date.now()));
  await client.search();
  assert.equal((await client.ingest(batch)).duplicateCount, 3);
  const late = events(1, { observedAt: new Date(clock.now).toISOString() });
  assert.equal((await client.ingest(late)).acceptedCount, 1, 'the step may have been right');

  // A service that starts at the wrong time knows the doubt.
  await process.kill('SIGKILL');
  await start();
  assert.equal((await readiness()).clock, 'ahead');
  assert.ok(isNear(await nextDateAdded(), Date.now()));
  assert.equal((await new RestClient(url, key).ingest(batch)).duplicateCount, 3);

  clock.set(0);
  await clockIs('behind');
  assert.ok(isNear(await nextDateAdded(), Date.now()));
  const { start: from, end } = { start: Date.now() - DAY, end: Date.now() + DAY };
  const window = `window.start=${new Date(from).toISOString()}&window.end=${new Date(end).toISOString()}`;
  const usage = await new RestClient(url, key).send(`/v1/usage?${window}&bucket=USAGE_BUCKET_HOUR`);
  const { records } = usage.expect<{ records: { searchCount: string }[] }>(200);
  assert.equal(
    records.reduce((sum, { searchCount }) => sum + Number(searchCount), 0),
    1,
  );
});

test('an accepted step forward takes effect, and still forgets nothing at once', async () => {
  const client = new RestClient(url, key);
  const batch = events(3);
  await client.ingest(batch);
  await nextDateAdded();
  clock.set(200 * DAY);
  await clockIs('ahead');
  await command('clock', 'accept');
  await clockIs('steady');
  // Each thread looks once a second, so the one that writes may learn of the acceptance later than the one that says so.
  await until('a date after the step', async () => isNear(await nextDateAdded(), clock.now) || undefined);
  assert.equal((await client.ingest(batch)).duplicateCount, 3);
});
