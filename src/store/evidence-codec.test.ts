import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EVIDENCE_BYTES, type KeptEvidence, LINK_BYTES } from '../domain/evidence/kept-evidence.ts';
import { counted, EMPTY_TALLY } from '../domain/evidence/tally.ts';
import { decodeEvidence, encodeEvidence } from './evidence-codec.ts';

const anyReport = fc.record({
  key: fc.constantFrom('command.input', '__proto__', '\u202e"k\n'),
  value: fc.string({ unit: 'binary', maxLength: 400 }),
  owner: fc.constantFrom('aaaaaa', 'bbbbbb', 'cccccc'),
  at: fc.nat({ max: 9_999_999_999_999 }),
  count: fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }),
});

test('evidence reads back as it was, in no more bytes than it may have', () => {
  fc.assert(
    fc.property(fc.array(anyReport, { maxLength: 80 }), (reports) => {
      const tallyOf = (limit: number) =>
        reports.reduce((tally, one) => counted(tally, [one], one, limit - 64), EMPTY_TALLY);
      const evidence: KeptEvidence = { seen: tallyOf(EVIDENCE_BYTES), links: tallyOf(LINK_BYTES) };
      const text = encodeEvidence(evidence);
      assert.ok(Buffer.byteLength(text) <= EVIDENCE_BYTES + LINK_BYTES);
      assert.deepEqual(decodeEvidence(text), evidence);
    }),
    { numRuns: 60 },
  );
});
