// The bounds of following links, over a graph without an end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KeptEvidence, NO_EVIDENCE } from '../domain/evidence/kept-evidence.ts';
import { linkEntry } from '../domain/evidence/links.ts';
import { counted, EMPTY_TALLY } from '../domain/evidence/tally.ts';
import { aRecord } from '../store/contract/fixtures.ts';
import { findRelated } from './related.ts';

function idOf(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

/** Each indicator is linked with fifty others. Readers do not know every third one. */
function endless() {
  let reads = 0;
  const evidence = async (id: string): Promise<readonly KeptEvidence[]> => {
    reads += 1;
    const number = Number.parseInt(id.slice(-12), 16);
    const links = Array.from({ length: 50 }, (_, index) => {
      const otherId = idOf(number * 50 + index + 1);
      return linkEntry({ kind: 'dropped', otherId, fromOther: false });
    });
    const occurrence = { owner: 'a', at: 1, count: 1n };
    return [{ ...NO_EVIDENCE, links: counted(EMPTY_TALLY, links, occurrence, 1_000_000) }];
  };
  const record = async (id: string) => {
    reads += 1;
    return Number.parseInt(id.slice(-12), 16) % 3 === 0 ? undefined : aRecord({ id });
  };
  return { reader: { evidence, record }, reads: () => reads };
}

test('an answer has at most 100 indicators, each with the links to it, and says that there are more', async () => {
  const { reader, reads } = endless();
  const one = await findRelated(reader, idOf(1), 'RED', 1);
  assert.ok(one !== undefined && !one.truncated);
  assert.ok(one.indicators.length > 30 && one.links.length === one.indicators.length);
  const two = await findRelated(reader, idOf(1), 'RED', 2);
  assert.ok(two?.truncated);
  assert.equal(two.indicators.length, 100);
  const known = new Set([idOf(1), ...two.indicators.map(({ id }) => id)]);
  for (const { sourceId, targetId } of two.links) assert.ok(known.has(sourceId) && known.has(targetId));
  assert.deepEqual(new Set(two.indicators.map(({ hops }) => hops)), new Set([1, 2]));
  assert.ok(reads() < 500, `${reads()} reads`);
});

test('an answer says that an indicator did not keep all its links', async () => {
  const links = Array.from({ length: 50 }, (_, index) =>
    linkEntry({ kind: 'dropped', otherId: idOf(index + 2), fromOther: false }),
  );
  for (const [room, truncated] of [
    [1_000_000, false],
    [500, true],
  ] as const) {
    const kept = {
      ...NO_EVIDENCE,
      links: counted(EMPTY_TALLY, links, { owner: 'a', at: 1, count: 1n }, room),
    };
    const reader = {
      evidence: async (id: string) => (id === idOf(1) ? [kept] : []),
      record: async (id: string) => aRecord({ id }),
    };
    assert.equal((await findRelated(reader, idOf(1), 'RED', 1))?.truncated, truncated);
  }
});
