// Entity tags: equal for equal bytes, different for different bytes, compared as RFC 9110 says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedEntry } from '../../store/feed.ts';
import { bodyTag, formatTag, isKnown, pageTag } from './reply.ts';

function entry(dateAdded: number): FeedEntry {
  return { dateAdded };
}

test('a page is told by its entries, what follows, and where it stands', () => {
  const pages = [
    { entries: [] },
    { entries: [], after: 5 },
    { entries: [entry(5)] },
    { entries: [entry(5)], next: 'x' },
    { entries: [entry(5), entry(6)] },
    { entries: [entry(56)] },
  ];
  assert.equal(new Set(pages.map((page) => pageTag(page).opaque)).size, pages.length);
  for (const page of pages) assert.deepEqual(pageTag(page), pageTag(structuredClone(page)));
});

test('a page with another one behind it has a weak tag, since its `next` is another one each time', () => {
  const [one, other] = ['x', 'y'].map((next) => pageTag({ entries: [entry(5)], next }));
  assert.deepEqual([one, one?.weak], [other, true]);
  assert.equal(pageTag({ entries: [entry(5)] }).weak, false);
  assert.match(formatTag(pageTag({ entries: [entry(5)], next: 'x' }), '-gzip'), /^W\/"\w+-gzip"$/);
  assert.match(formatTag(bodyTag(Buffer.from('{}'))), /^"\w+"$/);
});

test('If-None-Match: one, some, weakened, or any', () => {
  for (const header of ['"a"', '"b", "a"', 'W/"a"', ' "b" ,W/"a" ', '*'])
    assert.ok(isKnown(header, '"a"'), header);
  for (const header of [undefined, '', 'a', '"b"', '"a-gzip"']) assert.ok(!isKnown(header, '"a"'));
});
