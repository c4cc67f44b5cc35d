// `tis keys` as a process beside a running service that accepts or refuses the keys.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { type Finished, tis } from '../support/command-line.ts';
import { endOfAccess } from '../support/end-of-access.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent } from '../support/sensor-events.ts';

interface ShownKey {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly account: string;
  readonly sensor: boolean;
  readonly scopes: readonly string[];
  readonly tlpCeiling: string;
  readonly reliability: number;
  readonly sources: readonly string[];
  readonly sourceRanges: readonly string[];
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
}

const HOUR_MS = 3_600_000;
/** A revocation counts everywhere within this time. */
const REVOKED_WITHIN_MS = 1_000;

let service: RunningService;

before(async () => {
  service = await RunningService.start();
});
after(() => service.dispose());

function keys(...words: readonly string[]): Promise<Finished> {
  const [command = '', ...rest] = words;
  return tis(['keys', command, '--data-dir', service.dataDir, ...rest]);
}

/** The JSON output of a command that must succeed. */
async function printed<Shown>(...words: readonly string[]): Promise<Shown> {
  const { code, stdout, stderr } = await keys(...words, '--json');
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout) as Shown;
}

function create(...words: readonly string[]): Promise<ShownKey> {
  return printed<ShownKey>('create', ...words);
}

async function listed(): Promise<readonly ShownKey[]> {
  return printed<readonly ShownKey[]>('list');
}

async function statusWith(key: string): Promise<number> {
  return (await service.as(key).send('/v1/indicators/search', { method: 'POST', body: {} })).status;
}

/** The key whose life the tests below follow. */
let siem: ShownKey;

describe('create', () => {
  test('prints one object with id and key, and the running service takes the key at once', async () => {
    siem = await create('--name', 'siem');
    assert.match(siem.key, /^tis_[0-9A-Za-z]{49}$/);
    assert.match(siem.id, /^[0-9a-f-]{36}$/);
    assert.deepEqual(siem.scopes, ['indicators:read']);
    assert.equal(siem.tlpCeiling, 'AMBER_STRICT');
    assert.equal(siem.reliability, 0.7);
    assert.equal(siem.key.startsWith(siem.prefix) && siem.key.endsWith(siem.lastFour), true);
    assert.equal(await statusWith(siem.key), 200);
  });

  test('without --json the key is all that standard output has', async () => {
    const { code, stdout, stderr } = await keys('create', '--name', 'script');
    assert.equal(code, 0);
    assert.match(stdout, /^tis_[0-9A-Za-z]{49}\n$/);
    assert.match(stderr, /^key [0-9a-f-]{36} \(script\).*not shown again\n$/);
    assert.equal(await statusWith(stdout.trim()), 200);
  });

  test('a sensor key sends and does not read', async () => {
    const words = '--name plant --sensor --reliability 0.9 --expires 2999-01-01T01:00:00+01:00';
    const shown = await create(...words.split(' '));
    assert.match(shown.key, /^tiss_/);
    assert.deepEqual([shown.sensor, shown.scopes, shown.reliability], [true, [], 0.9]);
    assert.equal(shown.expiresAt, '2999-01-01T00:00:00.000Z');
    assert.equal((await service.as(shown.key).ingest([anEvent()])).acceptedCount, 1);
    assert.equal(await statusWith(shown.key), 403);
  });

  test('scopes, ceiling, account, sources, ranges and end as they were asked for', async () => {
    const words =
      '--name a --scope usage:read --scope events:write --tlp-ceiling TLP_MARKING_green --account b';
    const ranges = '--range 192.0.2.7/24 --range 2001:db8::1 --expires 12h --source ESET --source CISA';
    const started = Date.now();
    const shown = await create(...words.split(' '), ...ranges.split(' '));
    assert.deepEqual(shown.scopes.toSorted(), ['events:write', 'usage:read']);
    assert.equal(shown.tlpCeiling, 'GREEN');
    assert.equal(shown.account, 'b');
    assert.deepEqual(shown.sources, ['CISA', 'ESET']);
    assert.deepEqual(shown.sourceRanges.toSorted(), ['192.0.2.0/24', '2001:db8::1/128']);
    const lasts = Date.parse(shown.expiresAt ?? '') - started;
    assert.ok(lasts >= 12 * HOUR_MS && lasts < 12.1 * HOUR_MS);
    assert.equal(await statusWith(shown.key), 401, 'it was used from elsewhere');
  });
});

test('keys are kept as hashes: none is in a list or in a file', async () => {
  const { stdout } = await keys('list');
  const json = JSON.stringify(await listed());
  // Another process reads the files. Closing them in this process would release the locks of its SQLite.
  const copy = await mkdtemp(join(tmpdir(), 'tis-copy-'));
  await promisify(execFile)('cp', ['-R', `${service.dataDir}/.`, copy]);
  const files = await readdir(copy);
  const contents = await Promise.all(files.map((file) => readFile(join(copy, file))));
  await rm(copy, { recursive: true });
  assert.ok(files.includes('tis.db'));
  assert.match(stdout, new RegExp(`^${siem.id} .*…${siem.lastFour} `, 'm'));
  assert.match(stdout, /events:write usage:read, speaks for CISA, ESET /);
  // The middle is enough to rebuild the key.
  const secret = siem.key.slice(10, -10);
  assert.equal(stdout.includes(secret) || json.includes(secret), false);
  for (const content of contents) assert.equal(content.includes(secret), false);
});

describe('the life of a key', () => {
  let successor: ShownKey;

  test('rotated, it has a successor of the same rights and works on for the overlap', async () => {
    successor = await printed<ShownKey>('rotate', siem.id);
    assert.notEqual(successor.id, siem.id);
    assert.notEqual(successor.key, siem.key);
    assert.deepEqual(
      [successor.name, successor.tlpCeiling, successor.scopes, successor.reliability],
      [siem.name, siem.tlpCeiling, siem.scopes, siem.reliability],
    );
    assert.deepEqual([await statusWith(siem.key), await statusWith(successor.key)], [200, 200]);
    const ends = (await listed()).find(({ id }) => id === siem.id)?.expiresAt ?? '';
    assert.ok(Date.parse(ends) > Date.now() + 23 * HOUR_MS);
  });

  test('without an overlap it ends within a second', async () => {
    const old = successor;
    successor = await printed<ShownKey>('rotate', old.id, '--overlap', '0s');
    const deadline = Date.now() + REVOKED_WITHIN_MS;
    const { lastLetIn } = await endOfAccess(async () => (await statusWith(old.key)) !== 401);
    assert.ok(lastLetIn <= deadline, `let in ${lastLetIn - deadline} ms late`);
    assert.equal(await statusWith(successor.key), 200);
  });

  test('revoked, it is refused within a second by a service that uses it all the time, everywhere', async () => {
    const { id, key } = successor;
    const use = () =>
      Promise.all([
        service.as(key).send('/v1/indicators/search', { method: 'POST', body: {} }),
        service.as(key).send('/v1/indicators/x'),
        service.as(key).send('/taxii2/collections/'),
      ]);
    assert.deepEqual(
      (await use()).map(({ status }) => status),
      [200, 404, 200],
    );
    const revoking = keys('revoke', id);
    // Without a pause, so that a cached key is as fresh as possible.
    let ended = false;
    void revoking.then(() => {
      ended = true;
    });
    while (!ended) await use();
    const { code, stdout } = await revoking;
    const deadline = Date.now() + REVOKED_WITHIN_MS;
    assert.deepEqual([code, stdout], [0, `${id} (siem) is revoked\n`]);
    const { lastLetIn } = await endOfAccess(async () => (await use()).some(({ status }) => status !== 401));
    assert.ok(lastLetIn <= deadline, `let in ${lastLetIn - deadline} ms late`);
  });

  test('revoking can be repeated, and nothing comes of a revoked key', async () => {
    const first = (await listed()).find(({ id }) => id === successor.id)?.revokedAt;
    assert.ok(first);
    assert.equal((await printed<ShownKey>('revoke', successor.id)).revokedAt, first);
    assert.match((await keys('revoke', successor.id, '--dry-run')).stdout, / is already revoked\n$/);
    const { code, stderr } = await keys('rotate', successor.id);
    assert.equal(code, 1);
    assert.match(stderr, /^tis: the key is revoked or expired\n$/);
  });
});

test('a wrong value is one line that says why, a code above zero, and no key', async () => {
  const unknown = '6f9619ff-8b86-4011-b42d-00c04fc964ff';
  const cases: readonly (readonly [words: readonly string[], says: RegExp])[] = [
    [['create'], /--name/],
    [['create', '--name', 'a\nb'], /^tis: --name: /],
    [['create', '--name', 'a', '--account', ''], /^tis: --account: /],
    [['create', '--name', 'a', '--scope', 'indicators:write'], /^tis: --scope: .*indicators:read/],
    [['create', '--name', 'a', '--tlp-ceiling', 'purple'], /--tlp-ceiling.*"purple"/],
    [['create', '--name', 'a', '--reliability', 'high'], /^tis: --reliability: .*0 to 1/],
    [['create', '--name', 'a', '--reliability', ''], /^tis: --reliability: /],
    [['create', '--name', 'a', '--expires', '90'], /--expires/],
    [['create', '--name', 'a', '--expires', '2001-01-01T00:00:00Z'], /^tis: --expires: /],
    [['create', '--name', 'a', '--range', '192.0.2.0/33'], /^tis: --range: /],
    [['create', '--name', 'a', '--sensor', '--scope', 'admin'], /^tis: --scope: .*sensor/],
    [['rotate', unknown, '--overlap', 'soon'], /--overlap.*"soon"/],
    [['revoke', unknown], /no such key/],
    [['revoke'], /missing required argument/],
    [['destroy', unknown], /unknown command/],
  ];
  const before = await listed();
  const runs = cases.map(async ([words, says]) => {
    const { code, stdout, stderr } = await keys(...words);
    const what = words.join(' ');
    assert.ok(code !== null && code > 0, what);
    assert.equal(stdout, '', what);
    assert.match(stderr, says, what);
    assert.match(stderr, /^[^\n]+\n$/, `${what}: ${stderr}`);
  });
  await Promise.all(runs);
  assert.deepEqual(await listed(), before);
});
