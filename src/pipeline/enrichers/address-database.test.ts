import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ServiceError } from '../../domain/errors.ts';
import { parseCidr } from '../../domain/observable/address.ts';
import { firstAnswer, openAddressDatabase } from './address-database.ts';
import { BUILT_AT, type MmdbOptions, writeMmdb } from './mmdb-writer.test-support.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'mmdb-'));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

const RECORDS = {
  '192.0.2.0/24': { place: 'a', list: [1, true, -1.5, 'x'.repeat(40)] },
  '192.0.2.128/25': { place: 'b' },
  '2001:db8::/32': { place: 'c' },
};

let files = 0;

function pathOf(content: Buffer | string): string {
  const path = join(FOLDER, `${files++}.mmdb`);
  writeFileSync(path, content);
  return path;
}

async function lookup(records: Parameters<typeof writeMmdb>[0], options: MmdbOptions = {}) {
  const database = await openAddressDatabase(pathOf(writeMmdb(records, options)));
  return (text: string) => {
    const range = parseCidr(text);
    assert.ok(range, text);
    return database.lookup(range);
  };
}

test('records of each size are found, of both families, and nothing else', async () => {
  for (const recordSize of [24, 28, 32] as const) {
    const at = await lookup(RECORDS, { recordSize });
    assert.deepEqual(at('192.0.2.1/32'), RECORDS['192.0.2.0/24']);
    assert.deepEqual(at('192.0.2.200/32'), { place: 'b' });
    assert.deepEqual(at('2001:db8::7/128'), { place: 'c' });
    assert.equal(at('198.51.100.1/32'), undefined);
    assert.equal(at('2001:db9::1/128'), undefined);
  }
});

test('a range has an answer if one record covers all of it', async () => {
  for (const ipVersion of [4, 6] as const) {
    const at = await lookup(ipVersion === 4 ? { '192.0.2.0/24': 'a' } : RECORDS, { ipVersion });
    assert.notEqual(at('192.0.2.0/26'), undefined);
    assert.equal(at('192.0.0.0/16'), undefined);
  }
  const at = await lookup(RECORDS);
  assert.equal(at('192.0.2.0/24'), undefined, 'its halves differ');
  assert.deepEqual(at('192.0.2.128/25'), { place: 'b' });
  assert.deepEqual(at('2001:db8:1::/48'), { place: 'c' });
});

test('a database of IPv4 addresses knows no other', async () => {
  // The first 32 bits of this address are an IPv4 address in 32.1.0.0/16.
  const at = await lookup({ '32.1.0.0/16': 'wrong' }, { ipVersion: 4 });
  assert.equal(at('2001:db8::1/128'), undefined);
  assert.equal(at('32.1.2.3/32'), 'wrong');
});

test('the data set has a name and a build time', async () => {
  const database = await openAddressDatabase(pathOf(writeMmdb(RECORDS, { type: 'Example-City' })));
  assert.deepEqual(database.dataset, { name: 'Example-City', builtAt: BUILT_AT * 1_000 });
});

test('the first database with a usable record answers', async () => {
  const first = await openAddressDatabase(pathOf(writeMmdb({ '192.0.2.0/24': 1 }, { type: 'one' })));
  const second = await openAddressDatabase(pathOf(writeMmdb({ '192.0.0.0/16': 'two' }, { type: 'two' })));
  const range = parseCidr('192.0.2.1/32');
  assert.ok(range);
  const text = (record: unknown) => (typeof record === 'string' ? record : undefined);
  assert.deepEqual(firstAnswer([first, second], range, text)?.value, 'two');
  assert.equal(firstAnswer([first, second], range, text)?.dataset.name, 'two');
  assert.equal(firstAnswer([first], range, text), undefined);
});

test('a missing or broken file is refused by name', async () => {
  const whole = writeMmdb(RECORDS);
  const broken = [
    'not a database',
    '',
    whole.subarray(0, whole.length - 40),
    whole.subarray(whole.indexOf('\xab\xcd\xefMaxMind.com', 'latin1')),
  ].map((content) => pathOf(content));
  for (const path of [...broken, join(FOLDER, 'missing.mmdb'), FOLDER]) {
    await assert.rejects(
      openAddressDatabase(path),
      (error) =>
        error instanceof ServiceError &&
        error.code === 'failed_precondition' &&
        error.message.startsWith(path),
      path,
    );
  }
});
