import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY, HOUR } from '../../domain/instant.ts';
import type { OpenidKey } from '../../store/openid-key.ts';
import { planKeys, signingFirst, TOKEN_LIFETIME } from './key-rotation.ts';

const NOW = Date.UTC(2026, 10, 22);
const AGE = 30 * DAY;
const STEP = HOUR / 2;

describe('signing keys', () => {
  it('begin with one that signs immediately', () => {
    assert.deepEqual(planKeys([], AGE, NOW), { newKeyFrom: NOW, retired: [] });
  });

  it('over a year: one signs at a time, published an hour before, and until its last token has ended', () => {
    let keys: OpenidKey[] = [];
    const made = new Map<string, number>();
    const signedLast = new Map<string, number>();
    for (let now = NOW; now < NOW + 365 * DAY; now += STEP) {
      const { newKeyFrom, retired } = planKeys(keys, AGE, now);
      keys = keys.filter((key) => !retired.includes(key));
      if (newKeyFrom !== undefined) {
        const id = `key ${made.size}`;
        keys.push({ id, createdAt: now, signsFrom: newKeyFrom, jwk: {} });
        made.set(id, now);
      }
      const [signing] = signingFirst(keys, now);
      assert.ok(signing !== undefined && signing.signsFrom <= now);
      assert.ok(made.size === 1 || now - (made.get(signing.id) ?? now) >= HOUR);
      signedLast.set(signing.id, now);
      for (const [id, at] of signedLast)
        if (at + TOKEN_LIFETIME > now) assert.ok(keys.some((key) => key.id === id));
      assert.ok(keys.length <= 3);
    }
    assert.equal(made.size, 13);
    assert.ok(!keys.some(({ id }) => id === 'key 0'));
  });

  it('after a long pause the old one signs until its successor is published for an hour', () => {
    const old: OpenidKey = { id: 'old', createdAt: NOW, signsFrom: NOW, jwk: {} };
    const later = NOW + 400 * DAY;
    assert.deepEqual(planKeys([old], AGE, later), { newKeyFrom: later + HOUR, retired: [] });
    const young: OpenidKey = { id: 'young', createdAt: later, signsFrom: later + HOUR, jwk: {} };
    assert.deepEqual(signingFirst([old, young], later), [old, young]);
    assert.deepEqual(signingFirst([old, young], later + HOUR), [young, old]);
  });
});
