import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY } from '../instant.ts';
import { INDICATOR_TYPES, THREAT_CATEGORIES } from '../vocabulary.ts';
import { type Decay, decayOf, remaining } from './recency.ts';

const anyDecay: fc.Arbitrary<Decay> = fc
  .tuple(fc.constantFrom(...INDICATOR_TYPES), fc.subarray(THREAT_CATEGORIES.slice(1)))
  .map(([type, categories]) => decayOf(type, categories))
  .filter((decay) => decay !== undefined);

test('decay by type and category, in days', () => {
  const tau = (...[type, categories]: Parameters<typeof decayOf>) => decayOf(type, categories)?.tauDays;
  assert.equal(tau('IPV4', ['SCANNER']), 30);
  assert.equal(tau('IPV6', ['SCANNER', 'COMMAND_AND_CONTROL']), 90);
  assert.equal(tau('DOMAIN', []), 180);
  assert.equal(tau('URL', ['PHISHING']), 7);
  assert.equal(tau('URL', ['PHISHING', 'MALWARE']), 30);
  assert.equal(tau('CIDR', []), 90);
  assert.equal(tau('EMAIL', []), 180);
  assert.equal(tau('JA3', []), 365);
  assert.equal(tau('SSL_CERT_FINGERPRINT', []), 365);
  for (const type of ['FILE_HASH_MD5', 'FILE_HASH_SHA1', 'FILE_HASH_SHA256'] as const) {
    assert.equal(decayOf(type, ['MALWARE']), undefined);
  }
});

test('what remains falls from 1 to 0 and never rises', () => {
  const age = fc.integer({ min: -DAY, max: 400 * DAY });
  fc.assert(
    fc.property(anyDecay, age, age, (decay, a, b) => {
      const [younger, older] = [Math.min(a, b), Math.max(a, b)];
      assert.ok(remaining(younger, decay) >= remaining(older, decay));
      assert.ok(remaining(older, decay) >= 0 && remaining(younger, decay) <= 1);
    }),
  );
  const decay = decayOf('IPV4', []);
  assert.ok(decay);
  assert.equal(remaining(0, decay), 1);
  assert.equal(remaining(30 * DAY, decay), 0);
});
