// Quotas, with a clock that the test controls.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EVENT, NOON } from '../domain/indicator/observation.test-support.ts';
import type { SensorEvent } from '../domain/indicator/sensor-event.ts';
import { DAY } from '../domain/instant.ts';
import { openTemporaryStore } from '../store/contract/temporary-store.test-support.ts';
import { createIngest } from './ingest.ts';
import type { EventResult, Reporter } from './reporter.ts';

const ROOMY = { values: 1_000, bytes: 1_000_000_000 };

/** An ingest with a quota of three new values for each reporter, and a clock that starts at noon. */
async function started(each = { values: 3, bytes: 1_000_000 }, all = ROOMY) {
  const store = await openTemporaryStore(() => NOON);
  const clock = { now: NOON };
  const ingest = createIngest({
    stores: store.stores,
    encodeIndicator: ({ id }) => JSON.stringify({ id }),
    clock: () => clock.now,
    observedBy: () => clock.now,
    options: {
      acceptPrivateAddresses: false,
      defaultTlp: 'GREEN',
      minPrefixIpv4: 16,
      minPrefixIpv6: 32,
      quota: { each, all },
    },
  });
  return { ingest, clock, [Symbol.asyncDispose]: store.dispose };
}

function reporterOf(group: string, changes: Partial<Reporter> = {}): Reporter {
  const source = { id: group, name: group, reliability: 0.7 };
  return {
    account: 'default',
    id: group,
    group,
    source,
    title: group,
    sources: [],
    ceiling: 'AMBER',
    ...changes,
  };
}

function eventOf(value: string, changes: Partial<SensorEvent> = {}): SensorEvent {
  return { ...EVENT, eventId: value, value, ...changes };
}

function eventsOf(from: number, count: number): SensorEvent[] {
  return Array.from({ length: count }, (_, index) => eventOf(`198.51.100.${from + index}`));
}

/** The reason of each refused event, and the status of each other. */
function outcomes(results: readonly EventResult[]): string[] {
  return results.map(({ status, reason }) => reason ?? status);
}

const OVER = 'NEW_VALUE_QUOTA';

describe('a quota of new values', () => {
  test('refuses only what is new: known values and repeats of the same batch go through', async () => {
    await using running = await started();
    const { ingest } = running;
    const key = reporterOf('key-1');
    assert.deepEqual(outcomes(await ingest(eventsOf(0, 2), key)), ['ACCEPTED', 'ACCEPTED']);
    const mixed = [
      ...eventsOf(1, 3),
      eventOf('198.51.100.0', { eventId: 'again' }),
      eventOf('10.0.0.1'),
      eventOf('198.51.100.3'),
    ];
    assert.deepEqual(outcomes(await ingest(mixed, key)), [
      'DUPLICATE',
      'ACCEPTED',
      OVER,
      'ACCEPTED',
      'PRIVATE_ADDRESS',
      OVER,
    ]);
    assert.deepEqual(outcomes(await ingest(eventsOf(9, 1), reporterOf('key-2'))), ['ACCEPTED']);
    const sameGroup = reporterOf('key-1', { account: 'other' });
    assert.deepEqual(outcomes(await ingest(eventsOf(19, 1), sameGroup)), ['ACCEPTED']);
  });

  test('ends with the UTC day, and then the refused event is accepted', async () => {
    await using running = await started();
    const { ingest, clock } = running;
    const key = reporterOf('key-1');
    const last = eventsOf(3, 1);
    await ingest(eventsOf(0, 3), key);
    assert.deepEqual(outcomes(await ingest(last, key)), [OVER]);
    clock.now += DAY / 2 - 1;
    assert.deepEqual(outcomes(await ingest(last, key)), [OVER]);
    clock.now += 1;
    assert.deepEqual(outcomes(await ingest(last, key)), ['ACCEPTED']);
    assert.deepEqual(outcomes(await ingest(last, key)), ['DUPLICATE']);
  });

  test('holds for batches at the same time, and for no file of the operator', async () => {
    await using running = await started();
    const { ingest } = running;
    const key = reporterOf('key-1');
    const batches = [0, 10, 20, 30].map((from) => ingest(eventsOf(from, 2), key));
    const accepted = (await Promise.all(batches)).flat().filter(({ status }) => status === 'ACCEPTED');
    assert.equal(accepted.length, 3);
    const operator = reporterOf('source:local', { isOperator: true });
    assert.deepEqual(outcomes(await ingest(eventsOf(40, 9), operator)), Array(9).fill('ACCEPTED'));
  });

  test('does not reveal what is known above the ceiling of the reporter', async () => {
    await using running = await started({ values: 1, bytes: 1_000_000 });
    const { ingest } = running;
    const secret = eventOf('203.0.113.1', { tlp: 'RED' });
    await ingest([secret], reporterOf('key-1', { ceiling: 'RED' }));
    const prying = reporterOf('key-2');
    const asked = [eventOf('203.0.113.2'), eventOf('203.0.113.1'), eventOf('203.0.113.3')];
    assert.deepEqual(outcomes(await ingest(asked, prying)), ['ACCEPTED', OVER, OVER]);
    // Another key of the group reported it. This one may see less.
    const child = reporterOf('key-4', { group: 'key-1' });
    assert.deepEqual(outcomes(await ingest([eventOf('203.0.113.1', { eventId: 'child' })], child)), [OVER]);
    // What it reported itself, it knows.
    const open = reporterOf('key-3');
    const own = [
      eventOf('203.0.113.1'),
      eventOf('203.0.113.1', { eventId: 'again' }),
      eventOf('203.0.113.4'),
    ];
    assert.deepEqual(outcomes(await ingest(own, open)), ['ACCEPTED', 'ACCEPTED', OVER]);
  });
});

test('a quota of bytes counts texts and new days, and lets events through that only add to a count', async () => {
  await using running = await started({ values: 1_000, bytes: 40_000 });
  const { ingest } = running;
  const key = reporterOf('key-1');
  const labels = Array.from({ length: 50 }, (_, index) => ({ key: `k${index}`, value: 'x'.repeat(1_000) }));
  const long = eventOf('198.51.100.1', { labels });
  assert.deepEqual(outcomes(await ingest([long], key)), ['STORED_BYTES_QUOTA']);
  assert.deepEqual(outcomes(await ingest([eventOf('198.51.100.1')], key)), ['ACCEPTED']);
  const days = Array.from({ length: 20 }, (_, index) =>
    eventOf('198.51.100.1', { eventId: `day ${index}`, observedAt: NOON - (index + 1) * DAY }),
  );
  const byDay = outcomes(await ingest(days, key));
  assert.equal(byDay[0], 'ACCEPTED');
  assert.equal(byDay.at(-1), 'STORED_BYTES_QUOTA');
  const again = eventOf('198.51.100.1', { eventId: 'again' });
  assert.deepEqual(outcomes(await ingest([again], key)), ['ACCEPTED']);
});

test('a flood leaves room for reporters that add little', async () => {
  await using running = await started(ROOMY, ROOMY);
  const { ingest } = running;
  const flood = Array.from({ length: 800 }, (_, index) => eventOf(`2001:db8::${index.toString(16)}`));
  const flooded = outcomes(await ingest(flood, reporterOf('key-1')));
  assert.equal(flooded.indexOf('TOTAL_QUOTA'), 750);
  const small = [...eventsOf(0, 2), { ...flood[0]!, eventId: 'again' }];
  assert.deepEqual(outcomes(await ingest(small, reporterOf('key-2'))), [
    'ACCEPTED',
    'TOTAL_QUOTA',
    'ACCEPTED',
  ]);
});
