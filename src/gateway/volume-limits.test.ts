import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../domain/errors.ts';
import { createVolumeLimits } from './volume-limits.ts';

const MEBIBYTE = 1_048_576;

test('events and bytes of one credential are limited, and flow back', async () => {
  let now = 0;
  const { spendEvents, spendBytes } = createVolumeLimits({
    eventsPerMinute: 6_000,
    bytesPerMinute: 60 * MEBIBYTE,
    clock: () => now,
  });
  for (let count = 0; count < 6; count++) await spendEvents('k', 1_000);
  await assert.rejects(spendEvents('k', 1_000), (error) => {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, 'resource_exhausted');
    assert.equal(
      error.message,
      'over the limit of this credential: 6000 events a minute, at most 6000 at once',
    );
    assert.equal(error.details.retryAfterMs, 10_000);
    assert.deepEqual(error.details.metadata, {
      subject: 'credential',
      unit: 'events',
      perMinute: '6000',
      burst: '6000',
    });
    return true;
  });
  await spendEvents('other', 1_000);
  now += 10_000;
  await spendEvents('k', 1_000);

  for (let count = 0; count < 7; count++) await spendBytes('k', 8 * MEBIBYTE);
  await assert.rejects(spendBytes('k', 8 * MEBIBYTE), { code: 'resource_exhausted' });
});
