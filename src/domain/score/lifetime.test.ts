import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyObservation, NOON, observation, recordOf } from '../indicator/observation.test-support.ts';
import { DAY } from '../instant.ts';
import { INDICATOR_TYPES, THREAT_CATEGORIES, type ThreatCategory } from '../vocabulary.ts';
import { scoreIndicator } from './confidence.ts';
import { lifetimeOf, validUntilOf } from './lifetime.ts';

const HASHES = ['FILE_HASH_MD5', 'FILE_HASH_SHA1', 'FILE_HASH_SHA256'] as const;

/** Days that remain after lastSeen. */
function daysOf(...[terms]: Parameters<typeof lifetimeOf>): number {
  const lifetime = lifetimeOf(terms);
  return lifetime === undefined ? Number.POSITIVE_INFINITY : validUntilOf(0, lifetime) / DAY;
}

const SCAN = { type: 'IPV4', categories: ['SCANNER'], sensorDays: 1, score: 73, share: 1 } as const;

test('lifetimes at confidence 50 after one day, by type and category', () => {
  const days = (type: (typeof INDICATOR_TYPES)[number], ...categories: ThreatCategory[]) =>
    daysOf({ type, categories, sensorDays: 1, score: 50, share: 1 });
  assert.equal(days('IPV4', 'SCANNER'), 4);
  assert.equal(days('IPV6', 'SCANNER', 'BRUTE_FORCE'), 7);
  assert.equal(days('IPV4', 'SCANNER', 'MALWARE'), 14);
  assert.equal(days('IPV4', 'MALWARE', 'COMMAND_AND_CONTROL'), 30);
  assert.equal(days('DOMAIN'), 60);
  assert.equal(days('URL', 'MALWARE'), 14);
  assert.equal(days('CIDR'), 30);
  for (const type of HASHES) assert.equal(days(type, 'MALWARE'), Number.POSITIVE_INFINITY);
});

test('worked examples', () => {
  assert.equal(daysOf(SCAN), 4 * 1.23, 'a single scan');
  assert.ok(daysOf({ ...SCAN, score: 25 }) >= 3, 'a packet that may be forged');
  assert.equal(daysOf({ ...SCAN, sensorDays: 16 }), 3 * 4 * 1.23, 'who stays for 16 days stays longer');
  assert.equal(daysOf({ ...SCAN, share: 0.5 }), 2 * 1.23, 'a VPN has other users tomorrow');
});

test('a lifetime is never zero, and grows with confidence and days', () => {
  const terms = fc.record({
    type: fc.constantFrom(...INDICATOR_TYPES),
    categories: fc.subarray(THREAT_CATEGORIES.slice(1)),
    sensorDays: fc.nat({ max: 128 }),
    score: fc.nat({ max: 100 }),
    share: fc.constantFrom(0.5, 1),
  });
  fc.assert(
    fc.property(terms, fc.nat({ max: 50 }), fc.nat({ max: 50 }), (one, moreScore, moreDays) => {
      assert.ok(daysOf(one) >= 1);
      const score = Math.min(100, one.score + moreScore);
      assert.ok(daysOf({ ...one, score, sensorDays: one.sensorDays + moreDays }) >= daysOf(one));
    }),
  );
});

test('validUntil follows from the receipt alone', () => {
  const caps = fc.constantFrom([], [{ rule: 'warning-list', limit: 100, factor: 0.5, because: 'shared' }]);
  fc.assert(
    fc.property(fc.array(anyObservation, { minLength: 1, maxLength: 20 }), caps, (list, imposed) => {
      const record = recordOf(list);
      const { lifetime, validUntil, score, corroboration } = scoreIndicator(record, [], imposed);
      assert.ok(lifetime !== undefined && validUntil !== undefined);
      assert.equal(validUntil, validUntilOf(record.indicator.lastSeen, lifetime));
      assert.ok(validUntil >= record.indicator.lastSeen + DAY);
      assert.equal(lifetime.trust, 0.5 + score / 100);
      assert.equal(lifetime.persistence, 1 + Math.log2(Math.max(1, corroboration.sensorDays)) / 2);
      assert.equal(lifetime.share, imposed.length === 0 ? 1 : 0.5);
    }),
  );
});

test('a sighting of today lets an indicator live until later', () => {
  const later = (days: number) =>
    scoreIndicator(recordOf([observation(), observation({ observedAt: NOON + days * DAY })])).validUntil ?? 0;
  for (const days of [0, 1, 5, 30]) assert.ok(later(days + 1) > later(days));
});
