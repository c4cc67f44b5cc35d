// Entity tags: equal for equal bytes, different for different bytes, compared as RFC 9110 says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedEntry } from '../../store/feed.ts';
import { bodyTag, formatTag, isKnown, pageTag } from './reply.ts';

function entry(dateAdded: number): FeedEntry {
  return { place: dateAdded, dateAdded };
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
  assert.equal(new Set(pages.map((page) => pageTag(page, 'RED').opaque)).size, pages.length);
  for (const page of pages) assert.deepEqual(pageTag(page, 'RED'), pageTag(structuredClone(page), 'RED'));
});

test('a tag depends on the ceiling and not on the place, which tells how much is hidden', () => {
  const [near, far] = [5, 7].map((place) => ({ entries: [{ place, dateAdded: 5 }] }));
  assert.deepEqual(pageTag(near!, 'GREEN'), pageTag(far!, 'GREEN'));
  assert.notDeepEqual(pageTag(near!, 'GREEN'), pageTag(near!, 'RED'));
});

test('a page with another one behind it has a weak tag, since its `next` is another one each time', () => {
  const [one, other] = ['x', 'y'].map((next) => pageTag({ entries: [entry(5)], next }, 'RED'));
  assert.deepEqual([one, one?.weak], [other, true]);
  assert.equal(pageTag({ entries: [entry(5)] }, 'RED').weak, false);
  assert.match(formatTag(pageTag({ entries: [entry(5)], next: 'x' }, 'RED'), '-gzip'), /^W\/"\w+-gzip"$/);
  assert.match(formatTag(bodyTag(Buffer.from('{}'))), /^"\w+"$/);
});

test('If-None-Match: one, some, weakened, or any', () => {
  for (const header of ['"a"', '"b", "a"', 'W/"a"', ' "b" ,W/"a" ', '*'])
    assert.ok(isKnown(header, '"a"'), header);
  for (const header of [undefined, '', 'a', '"b"', '"a-gzip"']) assert.ok(!isKnown(header, '"a"'));
});
