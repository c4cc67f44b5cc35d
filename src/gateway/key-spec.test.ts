import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ServiceError } from '../domain/errors.ts';
import { LAST_INSTANT, parseDuration, parseExpiry } from './key-spec.ts';

const NOW = Date.UTC(2026, 10, 20);

const refused = (text: string, pattern: RegExp): void => {
  assert.throws(
    () => parseExpiry(text, NOW),
    (error) => {
      assert.ok(error instanceof ServiceError);
      assert.equal(error.code, 'invalid_argument');
      assert.equal(error.details.violations?.[0]?.field, 'expires');
      assert.match(error.message, pattern);
      return true;
    },
  );
};

describe('parseDuration', () => {
  it('reads seconds, minutes, hours and days', () => {
    assert.equal(parseDuration('60s'), 60_000);
    assert.equal(parseDuration('30m'), 1_800_000);
    assert.equal(parseDuration('12h'), 43_200_000);
    assert.equal(parseDuration('90d'), 7_776_000_000);
    assert.equal(parseDuration(' 90D '), 7_776_000_000);
    assert.equal(parseDuration('0s'), 0);
  });

  it('refuses anything else', () => {
    for (const text of [
      '',
      '90',
      'd',
      '-1d',
      '1.5h',
      '1w',
      '1h30m',
      '90 d',
      '9999999999s',
      '١d',
      'constructor',
    ]) {
      assert.equal(parseDuration(text), undefined, text);
    }
  });
});

describe('parseExpiry', () => {
  it('counts a duration from now', () => {
    assert.equal(parseExpiry('90d', NOW), NOW + 90 * 86_400_000);
  });

  it('reads RFC 3339 instants with any offset, cut to milliseconds', () => {
    assert.equal(parseExpiry('2027-01-02T03:04:05Z', NOW), Date.UTC(2027, 0, 2, 3, 4, 5));
    assert.equal(parseExpiry('2027-01-02t03:04:05.6789z', NOW), Date.UTC(2027, 0, 2, 3, 4, 5, 678));
    assert.equal(parseExpiry('2027-01-02T03:04:05+05:30', NOW), Date.UTC(2027, 0, 1, 21, 34, 5));
    assert.equal(parseExpiry('2027-01-02T03:04:05-01:00', NOW), Date.UTC(2027, 0, 2, 4, 4, 5));
  });

  it('reads back every instant it could be given', () => {
    fc.assert(
      fc.property(fc.integer({ min: NOW + 1, max: LAST_INSTANT }), (instant) => {
        assert.equal(parseExpiry(new Date(instant).toISOString(), NOW), instant);
      }),
    );
  });

  it('refuses what is no time at all', () => {
    for (const text of [
      '',
      'tomorrow',
      '2027-01-02',
      '2027-02-30T00:00:00Z',
      '2027-13-01T00:00:00Z',
      '2027-01-01T24:00:00Z',
      '2027-01-01T00:00:60Z',
      '2027-01-01T00:00:00',
      '2027-01-01 00:00:00Z',
      '2027-01-01T00:00:00+24:00',
      '+012027-01-01T00:00:00Z',
    ]) {
      refused(text, /not a duration/);
    }
  });

  it('refuses the past, the present and what can not be written', () => {
    refused('0d', /not in the future/);
    refused('2026-11-20T00:00:00Z', /not in the future/);
    refused('2020-01-01T00:00:00Z', /not in the future/);
    refused('999999999d', /year 9999/);
  });
});
