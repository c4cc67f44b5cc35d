// The report of usage over HTTP, on a real store, and which requests are metered.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ServiceError } from '../../domain/errors.ts';
import { HOUR } from '../../domain/instant.ts';
import {
  openTemporaryUsage,
  type TemporaryUsage,
} from '../../store/contract/temporary-store.test-support.ts';
import type { UsageStore } from '../../store/usage.ts';
import { testServer } from '../rest-server.test-support.ts';

const SEARCH = '/v1/indicators/search';

let opened: TemporaryUsage;
let usage: UsageStore;

before(async () => {
  opened = await openTemporaryUsage();
  usage = opened.usage;
  const use = (account: string, credential: string, at: string, searches: number) => ({
    account,
    credential,
    at: Date.parse(at),
    searches,
    returned: 10 * searches,
    lookups: 100 * searches,
    lookupRequests: 0,
  });
  await usage.record(
    [
      use('default', 'k1', '2026-10-31T23:30:00Z', 1),
      use('default', 'k1', '2026-11-01T00:30:00Z', 2),
      use('default', 'idp|ann', '2026-11-01T01:59:59.999Z', 4),
      use('default', 'k1', '2026-11-02T10:00:00Z', 8),
      use('other', 'k9', '2026-11-01T00:30:00Z', 100),
    ],
    false,
  );
});
after(() => opened.dispose());

function get(query: string, token = 'admin') {
  return testServer({ usage }).app.inject({
    url: `/v1/usage${query}`,
    headers: { authorization: `Bearer ${token}` },
  });
}

async function records(query: string): Promise<string[]> {
  const response = await get(query);
  assert.equal(response.statusCode, 200, response.body);
  return response
    .json()
    .records.map((record: Record<string, string>) => `${record.start} ${record.end} ${record.searchCount}`);
}

test('records are whole buckets with use, oldest first, counts as decimal strings', async () => {
  const response = await get('?bucket=USAGE_BUCKET_MONTH');
  assert.deepEqual(response.json(), {
    records: [
      {
        start: '2026-10-01T00:00:00Z',
        end: '2026-11-01T00:00:00Z',
        searchCount: '1',
        returnedCount: '10',
        lookupCount: '100',
        lookupRequestCount: '0',
      },
      {
        start: '2026-11-01T00:00:00Z',
        end: '2026-12-01T00:00:00Z',
        searchCount: '14',
        returnedCount: '140',
        lookupCount: '1400',
        lookupRequestCount: '0',
      },
    ],
  });
});

test('buckets are hours, days or months; days when nothing is said', async () => {
  const days = [
    '2026-10-31T00:00:00Z 2026-11-01T00:00:00Z 1',
    '2026-11-01T00:00:00Z 2026-11-02T00:00:00Z 6',
    '2026-11-02T00:00:00Z 2026-11-03T00:00:00Z 8',
  ];
  assert.deepEqual(await records(''), days);
  assert.deepEqual(await records('?bucket=USAGE_BUCKET_DAY'), days);
  assert.deepEqual(await records('?bucket=2'), days);
  assert.deepEqual(await records('?bucket=USAGE_BUCKET_HOUR&window.end=2026-11-01T02:00:00Z'), [
    '2026-10-31T23:00:00Z 2026-11-01T00:00:00Z 1',
    '2026-11-01T00:00:00Z 2026-11-01T01:00:00Z 2',
    '2026-11-01T01:00:00Z 2026-11-01T02:00:00Z 4',
  ]);
});

test('the window is half-open, and touched buckets are whole', async () => {
  const day = '2026-11-01T00:00:00Z 2026-11-02T00:00:00Z 6';
  assert.deepEqual(await records('?window.start=2026-11-01T00:00:00Z&window.end=2026-11-02T00:00:00Z'), [
    day,
  ]);
  assert.deepEqual(
    await records('?window.start=2026-11-01T23:00:00%2B00:00&window.end=2026-11-01T23:00:00.001Z'),
    [day],
  );
  assert.deepEqual(await records('?window.start=2026-11-01T00:00:00Z&window.end=2026-11-01T00:00:00Z'), []);
  assert.deepEqual(await records('?window.start=2027-01-01T00:00:00Z'), []);
});

test('one credential of the account can be singled out, and none of another account', async () => {
  assert.deepEqual(await records('?bucket=USAGE_BUCKET_MONTH&keyId=idp%7Cann'), [
    '2026-11-01T00:00:00Z 2026-12-01T00:00:00Z 4',
  ]);
  assert.deepEqual(await records('?key_id=k9'), []);
});

test('only the scope usage:read opens usage', async () => {
  for (const token of ['reader', 'sensor', 'analyst']) {
    const response = await get('', token);
    assert.equal(response.statusCode, 403);
    assert.match(String(response.headers['www-authenticate']), /scope="usage:read"/);
  }
});

test('a wrong question is an invalid argument', async () => {
  for (const [query, field] of [
    ['?bucket=USAGE_BUCKET_WEEK', 'bucket'],
    ['?bucket=4', 'bucket'],
    ['?window.start=yesterday', 'window.start'],
    ['?window.start=2026-11-02T00:00:00Z&window.end=2026-11-01T00:00:00Z', 'window'],
    [`?keyId=${'x'.repeat(1_025)}`, 'keyId'],
  ] as const) {
    const response = await get(query);
    assert.equal(response.statusCode, 400, query);
    assert.equal(response.json().details[1].fieldViolations[0].field, field);
  }
});

test('an answer has ten thousand records at most', async () => {
  const { usage: many, dispose } = await openTemporaryUsage();
  const use = (hour: number) => ({
    account: 'default',
    credential: 'k',
    at: hour * HOUR,
    searches: 1,
    returned: 0,
    lookups: 0,
    lookupRequests: 0,
  });
  await many.record(
    Array.from({ length: 10_001 }, (_, hour) => use(hour)),
    false,
  );
  const ask = (query: string) =>
    testServer({ usage: many }).app.inject({
      url: `/v1/usage?bucket=USAGE_BUCKET_HOUR${query}`,
      headers: { authorization: 'Bearer admin' },
    });
  const tooMany = await ask('');
  assert.equal(tooMany.statusCode, 400);
  assert.equal(tooMany.json().details[1].fieldViolations[0].field, 'window');
  const narrower = await ask('&window.start=1970-01-01T01:00:00Z');
  assert.equal(narrower.json().records.length, 10_000);
  await dispose();
});

test('a search page is metered once, for its credential and account, and nothing else is', async () => {
  const { app, asked } = testServer();
  const search = (token: string | undefined, payload: string) =>
    app.inject({
      method: 'POST',
      url: SEARCH,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      payload,
    });
  for (const [token, body, status] of [
    ['reader', '{}', 200],
    ['reader', '{"query":"none"}', 200],
    ['analyst', '{}', 200],
    ['reader', '{"page_size":"x"}', 400],
    ['reader', '{', 400],
    [undefined, '{}', 401],
    ['plain', '{}', 403],
    ['busy', '{}', 429],
    ['reader', '{"query":"crash"}', 500],
  ] as const) {
    assert.equal((await search(token, body)).statusCode, status);
  }
  await app.inject({ url: '/v1/indicators/x', headers: { authorization: 'Bearer reader' } });
  await app.inject({ url: '/openapi.json' });
  const use = { account: 'default', credential: 'k1' };
  assert.deepEqual(asked.uses, [
    { ...use, searches: 1, returned: 2 },
    { ...use, searches: 1, returned: 0 },
    { ...use, searches: 1, returned: 2 },
  ]);
});

test('a page is answered only once its use is noted', async () => {
  const { promise: noted, resolve } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { app } = testServer({
    meter: {
      record: () => {
        ask();
        return noted;
      },
    },
  });
  let answered = false;
  const answer = app
    .inject({ method: 'POST', url: SEARCH, headers: { authorization: 'Bearer reader' }, payload: '{}' })
    .then((response) => {
      answered = true;
      return response;
    });
  await asked;
  await new Promise((turn) => setImmediate(turn));
  assert.equal(answered, false);
  resolve();
  assert.equal((await answer).statusCode, 200);
});

test('a page whose use can not be noted is 503', async () => {
  const { app } = testServer({
    meter: {
      record: async () => {
        throw new ServiceError('unavailable', 'no', { reason: 'STORE_UNAVAILABLE', retryAfterMs: 5_000 });
      },
    },
  });
  const response = await app.inject({
    method: 'POST',
    url: SEARCH,
    headers: { authorization: 'Bearer reader' },
    payload: '{}',
  });
  assert.equal(response.statusCode, 503);
  assert.equal(response.headers['retry-after'], '5');
  assert.ok(!response.body.includes('indicators'));
});
