import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'tldts';
import type { IndicatorType } from '../vocabulary.ts';
import { BUILT_IN_LISTS } from './built-in-lists.ts';
import { RESEARCH_SCANNERS } from './research-scanners.ts';
import { createWarningListIndex } from './warning-list-index.ts';
import { WELL_KNOWN_NAMES } from './well-known-names.ts';
import { WELL_KNOWN_RANGES } from './well-known-ranges.ts';

const INDEX = createWarningListIndex(BUILT_IN_LISTS);

function standingsOf(type: IndicatorType, value: string): string {
  return INDEX.match({ type, value })
    .map(({ standing }) => standing)
    .join();
}

test('each row is readable, and says where it is from and when it was written', () => {
  assert.deepEqual(INDEX.unread, []);
  for (const { source, date } of [...WELL_KNOWN_NAMES, ...WELL_KNOWN_RANGES, ...RESEARCH_SCANNERS]) {
    assert.match(date, /^\d{4}-\d{2}-\d{2}$/);
    assert.ok(source.includes('.'), source);
  }
  const names = WELL_KNOWN_NAMES.flatMap((row) => row.names.split(' '));
  assert.equal(new Set(names).size, names.length, 'no name twice');
  assert.ok(names.length >= 300, `${names.length}`);
});

test('no listed domain lets strangers register names below it', () => {
  for (const { names } of WELL_KNOWN_NAMES) {
    for (const name of names.split(' ')) {
      const { publicSuffix, isIcann, isPrivate } = parse(name, { allowPrivateDomains: true });
      assert.ok(isIcann === true || isPrivate === true, name);
      assert.notEqual(publicSuffix, name);
    }
  }
});

test('well-known values, and those that only resemble them', () => {
  for (const [type, value, expected] of [
    ['DOMAIN', 'google.com', 'known'],
    ['DOMAIN', 'www.google.com', 'known'],
    ['URL', 'http://google.com/', 'known'],
    ['URL', 'https://github.com/a/b/raw/x.sh', 'shared'],
    ['DOMAIN', 'notgoogle.com', ''],
    ['DOMAIN', 'google.com.evil.example', ''],
    ['DOMAIN', 'bucket.s3.amazonaws.com', ''],
    ['DOMAIN', 'x.storage.googleapis.com', ''],
    ['IPV4', '8.8.8.8', 'known'],
    ['IPV4', '8.8.8.9', ''],
    ['IPV4', '66.249.66.1', 'known'],
    ['IPV4', '104.17.1.1', 'shared'],
    ['IPV6', '2620:fe::fe', 'known'],
    ['IPV4', '162.142.125.10', 'scanner'],
    ['IPV4', '162.142.126.10', ''],
  ] as const) {
    assert.equal(standingsOf(type, value), expected, value);
  }
});
