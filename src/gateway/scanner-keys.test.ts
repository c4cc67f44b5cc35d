// The keys of the scanner: read from a file or an address, and read again for an unknown key, but not too often.

import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createScannerKeys, scannerKeySource } from './scanner-keys.ts';

const NOW = Date.UTC(2026, 10, 20);
const MINUTE = 60_000;
const BODY = Buffer.from('[]');

const pair = (namedCurve = 'P-256') => generateKeyPairSync('ec', { namedCurve });
const [one, two] = [pair(), pair()];

const listOf = (keys: Readonly<Record<string, KeyObject>>) =>
  JSON.stringify({
    public_keys: Object.entries(keys).map(([name, key]) => ({
      key_identifier: name,
      key: key.export({ type: 'spki', format: 'pem' }),
    })),
  });
const signed = (key: KeyObject) => sign('sha256', BODY, key).toString('base64');

test('a signature counts under the name of its key alone', async () => {
  const verify = createScannerKeys({
    load: async () => listOf({ one: one.publicKey, two: two.publicKey }),
    clock: () => NOW,
  });
  assert.equal(await verify('one', signed(one.privateKey), BODY), true);
  assert.equal(await verify('two', signed(one.privateKey), BODY), false);
  assert.equal(await verify('three', signed(one.privateKey), BODY), false);
  assert.equal(await verify('one', signed(one.privateKey), Buffer.from('[ ]')), false);
  assert.equal(await verify('one', '', BODY), false);
});

test('the list is read once, and for an unknown key again once a minute', async () => {
  let now = NOW;
  let reads = 0;
  let list = listOf({ one: one.publicKey });
  const verify = createScannerKeys({
    load: async () => {
      reads += 1;
      return list;
    },
    clock: () => now,
  });
  await Promise.all([verify('one', '', BODY), verify('one', '', BODY), verify('no', '', BODY)]);
  assert.equal(reads, 1);
  list = listOf({ two: two.publicKey });
  now += MINUTE - 1;
  assert.equal(await verify('two', signed(two.privateKey), BODY), false);
  assert.equal(reads, 1);
  now += 1;
  assert.equal(await verify('two', signed(two.privateKey), BODY), true);
  // A key that is no longer listed is withdrawn.
  assert.equal(await verify('one', signed(one.privateKey), BODY), false);
  assert.equal(reads, 2);
});

test('a list that can not be read is unavailable; the last good one stays in use', async () => {
  let now = NOW;
  let answers: (() => string)[] = [() => '{}', () => listOf({ one: one.publicKey })];
  const verify = createScannerKeys({
    load: async () => (answers.shift() ?? (() => assert.fail('away')))(),
    clock: () => now,
  });
  const unavailable = { code: 'unavailable', message: 'reports cannot be checked at the moment' };
  await assert.rejects(verify('one', '', BODY), unavailable);
  // The list is not read again so soon.
  await assert.rejects(verify('one', '', BODY), unavailable);
  now += MINUTE;
  assert.equal(await verify('one', signed(one.privateKey), BODY), true);
  now += MINUTE;
  answers = [];
  assert.equal(await verify('two', signed(two.privateKey), BODY), false);
  assert.equal(await verify('one', signed(one.privateKey), BODY), true);
});

test('only keys on P-256 are keys', async () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey;
  for (const text of [
    'no json',
    'null',
    '{"public_keys":[]}',
    '{"public_keys":[null]}',
    '{"public_keys":[{"key_identifier":"one"}]}',
    '{"public_keys":[{"key_identifier":"one","key":"no key"}]}',
    listOf({ one: rsa }),
    listOf({ one: pair('secp384r1').publicKey }),
  ]) {
    const verify = createScannerKeys({ load: async () => text, clock: () => NOW });
    await assert.rejects(verify('one', '', BODY), { code: 'unavailable' }, text);
  }
});

test('the list comes from a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tis-scanner-'));
  const path = join(folder, 'keys.json');
  writeFileSync(path, 'the list');
  assert.equal(await scannerKeySource(path)(), 'the list');
  await assert.rejects(scannerKeySource(join(folder, 'missing'))());
  rmSync(folder, { recursive: true });
});
