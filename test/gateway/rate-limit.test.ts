// Rate limits over HTTP: headers on every answer to a valid credential, refusals, and who is charged.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, send } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { TAXII_MEDIA_TYPE } from '../support/taxii-client.ts';
import { until } from '../support/until.ts';
import type { RpcStatus, TaxiiFault } from '../support/wire.ts';

const BURST = 20;
/** Slow, so that a refusal still holds when a busy machine sends the next request. */
const PER_MINUTE = 20;
/** Failures per address and minute. */
const FAILURES = 600;
const SEARCH = '/v1/indicators/search';
const GET = '/v1/indicators/6f9619ff-8b86-4011-b42d-00c04fc964ff';
const OBJECTS = '/taxii2/collections/service-global-feed/objects/';

let service: RunningService;
before(async () => {
  service = await RunningService.start({
    TIS_RATE_LIMIT_PER_MINUTE: `${PER_MINUTE}`,
    TIS_RATE_LIMIT_BURST: `${BURST}`,
    TIS_TRUSTED_PROXIES: '127.0.0.1',
  });
});
after(() => service.dispose());

/** Sends a request in the name of that address, as a trusted proxy does. */
function ask(path: string, credential?: string, from = '192.0.2.1', parts: object = {}): Promise<Answer> {
  return send(service.url + path, {
    credential,
    headers: { 'x-forwarded-for': from, accept: TAXII_MEDIA_TYPE },
    ...parts,
  });
}

/** Members of the `RateLimit` list, which has one item. */
function remaining({ headers }: Answer): { policy: string; left: number; seconds: number } {
  const [, policy = '', left, seconds] =
    /^"([a-z]+)";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
  return { policy, left: Number(left), seconds: Number(seconds) };
}

async function exhaust(credential: string | undefined, path = GET, from?: string): Promise<Answer> {
  for (;;) {
    const answer = await ask(path, credential, from);
    if (answer.status === 429) return answer;
  }
}

/** Many wrong keys at once, until one is refused for their number. */
async function guessUntilRefused(from: string): Promise<{ failed: number; refused: Answer }> {
  let failed = 0;
  for (;;) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(GET, 'tis_wrong', from)));
    for (const answer of answers.filter(({ status }) => status !== 429)) {
      assert.equal(answer.status, 401);
      assert.equal(answer.headers.has('ratelimit'), false);
      failed += 1;
    }
    const refused = answers.find(({ status }) => status === 429);
    if (refused !== undefined) return { failed, refused };
  }
}

describe('a valid credential', () => {
  it('finds its limit on every answer', async () => {
    const key = await service.key({ scopes: [] });
    let left = BURST;
    for (const [path, status, parts] of [
      [GET, 404, {}],
      [SEARCH, 403, { method: 'POST', body: {} }],
      [`${GET}:verify`, 403, { method: 'POST', body: {} }],
      [OBJECTS, 200, {}],
      [OBJECTS, 200, { method: 'HEAD' }],
      [`${OBJECTS}?limit=0`, 400, {}],
      [`${OBJECTS}unknown/`, 404, {}],
      [OBJECTS, 403, { method: 'POST', body: {} }],
    ] as const) {
      const answer = await ask(path, key, undefined, parts);
      assert.equal(answer.status, status, path);
      assert.equal(answer.headers.get('ratelimit-policy'), `"credential";q=${BURST};w=60`);
      left -= 1;
      // Some requests may have been granted anew in the meantime.
      const { policy, left: told, seconds } = remaining(answer);
      assert.equal(policy, 'credential');
      assert.ok(told >= left && told < BURST && seconds <= 60, answer.headers.get('ratelimit') ?? 'none');
    }
  });

  it('over its limit gets 429 with the time to come back, and is served then', async () => {
    const key = await service.key();
    const refused = await exhaust(key);
    const { code, message, details } = refused.expect<RpcStatus>(429);
    assert.equal(code, 8);
    assert.equal(message, 'over the limit of this credential: 20 requests a minute, at most 20 at once');
    assert.deepEqual(
      details.map((detail) => detail['@type'].split('.').at(-1)),
      ['ErrorInfo', 'QuotaFailure', 'RetryInfo'],
    );
    assert.equal(details[0]?.reason, 'RATE_LIMIT_EXCEEDED');
    // One request is granted every three seconds.
    const wait = refused.headers.get('retry-after') ?? '';
    assert.match(wait, /^[123]$/);
    assert.deepEqual(remaining(refused), { policy: 'credential', left: 0, seconds: Number(wait) });
    await until('an answer once it came back', async () => (await ask(GET, key)).status === 404);
  });

  it('gets 429 from TAXII in its own words', async () => {
    const key = await service.key();
    const refused = await exhaust(key, OBJECTS);
    const fault = refused.expect<TaxiiFault>(429);
    assert.deepEqual([fault.http_status, fault.error_code], ['429', 'RATE_LIMIT_EXCEEDED']);
    assert.equal(refused.headers.get('content-type'), TAXII_MEDIA_TYPE);
    assert.match(refused.headers.get('retry-after') ?? '', /^[123]$/);
    assert.equal(remaining(refused).left, 0);
    // One limit for both interfaces.
    assert.equal((await ask(GET, key)).status, 429);
  });

  it('is never granted more than the burst and what came back, however many ask with it', async () => {
    const [key, other] = [await service.key(), await service.key()];
    const started = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => Promise.all([ask(GET, key), ask(GET, key)])),
    );
    const elapsed = performance.now() - started;
    const granted = answers.flat().filter(({ status }) => status === 404).length;
    assert.ok(granted >= BURST && granted <= BURST + (elapsed * PER_MINUTE) / 60_000, `${granted} granted`);
    assert.equal((await ask(GET, other)).status, 404);
  });

  it('that is a token is counted by its subject', async () => {
    const ann = () => service.token('indicators:read', { sub: 'ann', jti: `${Math.random()}` });
    await exhaust(ann());
    assert.equal((await ask(GET, ann())).status, 429);
    assert.equal((await ask(GET, service.token('indicators:read', { sub: 'bob' }))).status, 404);
  });
});

describe('a request without a valid credential', () => {
  it('is limited by its address, and a valid credential from there is not', async () => {
    const from = '198.51.100.1';
    const key = await service.key();
    const { failed, refused } = await guessUntilRefused(from);
    assert.ok(failed >= FAILURES, `${failed} answered 401`);
    assert.equal(refused.expect<RpcStatus>(429).details[0]?.metadata?.subject, 'address');
    assert.equal(refused.headers.get('ratelimit-policy'), '"address";q=600;w=60');
    assert.equal(refused.headers.get('retry-after'), '1');
    const fault = await exhaust(undefined, OBJECTS, from);
    assert.equal(fault.expect<TaxiiFault>(429).http_status, '429');

    const served = await ask(GET, key, from);
    assert.equal(served.status, 404);
    assert.equal(remaining(served).left, BURST - 1);
    assert.equal((await ask(GET, undefined, '198.51.100.2')).status, 401);
    // Paths without a credential have no limit.
    assert.equal((await ask('/taxii2/', undefined, from)).status, 200);
  });

  it('never costs the credential it imitates', async () => {
    const key = await service.key({ sourceRanges: ['203.0.113.0/24'] });
    for (let count = 0; count < 2 * BURST; count++) assert.equal((await ask(GET, key)).status, 401);
    assert.equal(remaining(await ask(GET, key, '203.0.113.9')).left, BURST - 1);
  });
});

describe('the address of a caller', () => {
  const only = ['203.0.113.0/24'];

  it('is the last one that a trusted proxy did not write itself', async () => {
    const key = await service.key({ sourceRanges: only });
    assert.equal((await ask(GET, key, '203.0.113.1')).status, 404);
    assert.equal((await ask(GET, key, '192.0.2.1, 203.0.113.1')).status, 404);
    // The client invented the first address. The proxy appended the true one.
    assert.equal((await ask(GET, key, '203.0.113.1, 192.0.2.1')).status, 401);
    assert.equal((await ask(GET, key, '203.0.113.1, 127.0.0.1')).status, 404);
  });

  it('that can not be read is nowhere', async () => {
    const key = await service.key({ sourceRanges: only });
    for (const from of ['unknown', '203.0.113.1:80', '203.0.113', '_hidden', ',,,']) {
      assert.notEqual((await ask(GET, key, from)).status, 404, from);
    }
  });

  it('is that of the connection where no proxy is trusted', async () => {
    const direct = await RunningService.start();
    try {
      const [here, there] = [
        await direct.key({ sourceRanges: ['127.0.0.1'] }),
        await direct.key({ sourceRanges: only }),
      ];
      const headers = {
        'x-forwarded-for': '203.0.113.1',
        forwarded: 'for=203.0.113.1',
        'x-real-ip': '203.0.113.1',
      };
      assert.equal((await send(direct.url + GET, { credential: here, headers })).status, 404);
      assert.equal((await send(direct.url + GET, { credential: there, headers })).status, 401);
    } finally {
      await direct.dispose();
    }
  });
});
