// Timestamps: RFC 3339 as ProtoJSON has it. What a Go parser takes by accident is refused (docs/decisions).

import assert from 'node:assert/strict';
import type { SearchReply } from '../support/wire.ts';
import { findsAll, invalid, jsonOf, SEARCH, type WireCase, type WireTable } from './wire-case.ts';

/** As a lower bound of a window that is long past: everything matches, whatever the time of day. */
function bounds(check: WireCase['check'], ...texts: readonly unknown[]): WireCase[] {
  return texts.map((createdAfter) => ({
    given: JSON.stringify(createdAfter),
    method: 'POST',
    path: SEARCH,
    body: { filter: { createdAfter } },
    check,
  }));
}

const refused = invalid('filter.createdAfter');

export const TIMESTAMPS: WireTable = {
  'Z, and offsets': bounds(
    findsAll,
    '2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00+02:00',
    '2026-01-31T12:00:00-11:30',
    '2026-01-31T12:00:00-00:00',
    '2026-01-31T12:00:00+23:59',
  ),
  'one to nine digits of a second': bounds(
    findsAll,
    ...['1', '12', '123', '1234', '123456', '123456789', '999999999', '000000000'].map(
      (digits) => `2026-01-31T12:00:00.${digits}Z`,
    ),
  ),
  'the years 0001 to 9999, and before 1970': [
    ...bounds(findsAll, '0001-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z', '2024-02-29T00:00:00Z'),
    {
      given: '9999-12-31T23:59:59Z as the upper bound',
      method: 'POST',
      path: SEARCH,
      body: { filter: { createdBefore: '9999-12-31T23:59:59.999999999Z' } },
      check: findsAll,
    },
  ],
  'what Go takes by accident (stricter: 400)': bounds(
    refused,
    '2026-01-31T12:00:00,5Z',
    '2026-01-31T2:00:00Z',
    '2026-01-31T12:00:00+25:00',
    '2026-01-31T12:00:00+02:60',
  ),
  'what is no timestamp': bounds(
    refused,
    '2026-01-31T12:00:00',
    '2026-01-31',
    '2026-01-31 12:00:00Z',
    '2026-01-31t12:00:00z',
    '2026-01-31T12:00:00z',
    '2026-01-31T12:00:00+0200',
    '2026-01-31T12:00Z',
    '2026-01-31T12:00:60Z',
    '2026-01-31T24:00:00Z',
    '2026-02-30T12:00:00Z',
    '2025-02-29T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-00-01T12:00:00Z',
    '0000-01-01T00:00:00Z',
    '10000-01-01T00:00:00Z',
    '2026-01-31T12:00:00.1234567891Z',
    '',
    ' 2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00.Z',
    '2026-01-31T12:00:00ZZ',
    '٢٠٢٦-01-31T12:00:00Z',
    1769860800,
    true,
    {},
    [],
    { seconds: 1 },
  ),
  'output: UTC with Z and as many of 0, 3, 6 or 9 digits as it takes': [
    { given: 'every indicator', method: 'POST', path: SEARCH, body: {}, check: assertCanonical },
  ],
  'null is no bound': bounds(findsAll, null),
  'a window may not end before it begins': [
    {
      given: 'start after end',
      method: 'POST',
      path: SEARCH,
      body: { filter: { lastSeenWindow: { start: '2026-02-01T00:00:00Z', end: '2026-01-01T00:00:00Z' } } },
      check: invalid('filter.lastSeenWindow'),
    },
  ],
};

function assertCanonical(reply: Parameters<WireCase['check']>[0]): void {
  for (const { createdAt, updatedAt, firstSeen, lastSeen, sightings } of jsonOf<SearchReply>(reply)
    .indicators) {
    for (const text of [
      createdAt,
      updatedAt,
      firstSeen,
      lastSeen,
      ...sightings.map((one) => one.observedAt),
    ]) {
      assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}){0,3}Z$/);
      assert.doesNotMatch(text, /\.(\d{3})*000Z$/);
    }
  }
}
