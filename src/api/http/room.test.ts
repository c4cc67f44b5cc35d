import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../domain/errors.ts';
import { Metrics } from '../../telemetry/metrics.ts';
import { createRooms } from './room.ts';

function refusal(act: () => unknown): ServiceError {
  try {
    act();
  } catch (error) {
    if (error instanceof ServiceError) return error;
  }
  throw new Error('not refused');
}

test('one caller holds half of the room at most, the next ones find room, and a full room refuses all', async () => {
  const metrics = new Metrics();
  const { answers: room } = createRooms({ bodies: 1, answers: 1_200 }, metrics);
  const held = Array.from({ length: 6 }, () => room.reserve('a', 100));
  const { code, details } = refusal(() => room.reserve('a', 100));
  assert.equal(code, 'resource_exhausted');
  assert.equal(details.reason, 'BYTES_UNDER_WAY_EXCEEDED');
  assert.equal(details.retryAfterMs, 1_000);
  for (let count = 0; count < 3; count++) room.reserve('b', 100);
  assert.equal(refusal(() => room.reserve('b', 100)).code, 'resource_exhausted');
  const full = refusal(() => room.reserve('c', 400));
  assert.deepEqual([full.code, full.details.reason], ['unavailable', 'OVERLOADED']);
  room.reserve('c', 100);

  for (const reservation of held) reservation.release();
  held[0]?.resize(500);
  assert.match(await metrics.text(), /http_memory_held_bytes\{of="answers"\} 400\n/);
  room.reserve('b', 100);
  assert.match(await metrics.text(), /http_memory_refusals_total\{of="answers",limit="caller"\} 2\n/);
  assert.match(await metrics.text(), /http_memory_refusals_total\{of="answers",limit="all"\} 1\n/);
});

test('bytes that are in memory already count, however many they are', () => {
  const { answers: room } = createRooms({ bodies: 1, answers: 100 }, new Metrics());
  const page = room.hold('a', 10);
  page.resize(300);
  assert.equal(refusal(() => room.require('a', 0)).code, 'resource_exhausted');
  assert.equal(refusal(() => room.require('b', 0)).code, 'unavailable');
  assert.throws(() => page.grow(1));
  page.release();
  room.require('a', 50);
});
