// POST /v1/indicators/{id}:verify: who may call it, and the forms of a request. Its effect is in pipeline.test.ts.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Answer } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent } from '../support/sensor-events.ts';
import type { RpcStatus } from '../support/wire.ts';

let service: RunningService;
let sensor: string;
let analyst: string;
/** ENRICHED at the start of each test. */
let id: string;

before(async () => {
  service = await RunningService.start();
  sensor = await service.key({ sensor: true });
  analyst = service.token('indicators:verify');
});
after(() => service.dispose());

beforeEach(async () => {
  id = (await service.as(sensor).ingest([anEvent()])).results[0]!.indicatorId;
  await service.settled();
});

function verify(credential?: string, body?: unknown, target = id): Promise<Answer> {
  return service.as(credential).send(`/v1/indicators/${target}:verify`, { method: 'POST', body });
}

async function state(): Promise<string> {
  return (await service.as(await service.key()).get(id)).state;
}

describe('who may not', () => {
  const cases: readonly (readonly [string, () => Promise<string> | string | undefined, number, string])[] = [
    ['nobody', () => undefined, 401, 'CREDENTIAL_MISSING'],
    ['a forged token', () => service.provider.forgedToken(), 401, 'CREDENTIAL_INVALID'],
    [
      'an API key with the scope',
      () => service.key({ scopes: ['indicators:verify'] }),
      403,
      'PERSON_REQUIRED',
    ],
    ['an API key with all scopes', () => service.key({ scopes: ['admin'] }), 403, 'PERSON_REQUIRED'],
    ['a sensor key', () => sensor, 403, 'PERSON_REQUIRED'],
    ['a person without the scope', () => service.token('indicators:read'), 403, 'INSUFFICIENT_SCOPE'],
  ];
  for (const [who, credential, status, reason] of cases) {
    test(who, async () => {
      const answer = await verify(await credential(), '{ not even JSON');
      assert.equal(answer.expect<RpcStatus>(status).details[0]?.reason, reason);
      assert.equal(await state(), 'INDICATOR_STATE_ENRICHED');
    });
  }

  test('the missing scope is named', async () => {
    const answer = await verify(service.token('indicators:read'));
    assert.match(
      answer.headers.get('www-authenticate') ?? '',
      /^Bearer .*error="insufficient_scope", scope="indicators:verify"$/,
    );
  });
});

describe('the body', () => {
  for (const body of [
    undefined,
    '',
    {},
    { note: 'x'.repeat(2_000), requestId: 'a' },
    { request_id: 'b' },
    { note: null },
    // The path names the indicator, so an id in the body has no effect.
    { id: '6f9619ff-8b86-4011-b42d-00c04fc964ff' },
  ]) {
    test(`taken: ${JSON.stringify(body)?.slice(0, 60)}`, async () => {
      const { state } = (await verify(analyst, body)).expect<{ state: string }>(200);
      assert.equal(state, 'INDICATOR_STATE_VERIFIED');
    });
  }

  test('a request id answers what it answered first, and is good for one request', async () => {
    const first = await verify(analyst, { note: 'seen in the plant', requestId: 'once' });
    const repeat = await verify(analyst, { note: 'seen in the plant', requestId: 'once' });
    assert.deepEqual(repeat.expect<object>(200), first.expect<object>(200));
    const other = await verify(analyst, { note: 'something else', requestId: 'once' });
    assert.match(JSON.stringify(other.expect<object>(400)), /REQUEST_ID_REUSED/);
  });

  for (const [body, field] of [
    [{ note: 'x'.repeat(2_001) }, 'note'],
    [{ note: 1 }, 'note'],
    [{ note: 'a\u0000b' }, 'note'],
    [{ requestId: 'x'.repeat(129) }, 'requestId'],
    ['{"note":"a","note":"b"}', 'note'],
    ['[]', 'body'],
    ['{', 'body'],
  ] as const) {
    test(`refused: ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const { details } = (await verify(analyst, body)).expect<RpcStatus>(400);
      assert.equal(details[1]?.fieldViolations?.[0]?.field, field);
      assert.equal(await state(), 'INDICATOR_STATE_ENRICHED');
    });
  }
});

test('what is not there', async () => {
  for (const target of ['6f9619ff-8b86-4011-b42d-00c04fc964ff', 'x', id.toUpperCase()]) {
    assert.equal((await verify(analyst, {}, target)).expect<RpcStatus>(404).code, 5);
  }
});

test('of several at once one moves the state, and all are answered with the same', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => verify(analyst, {})));
  for (const answer of answers) {
    assert.equal(answer.status, 200);
    assert.equal(answer.text, answers[0]?.text);
  }
  const { history } = await service.as(await service.key()).explain(id);
  assert.equal(history.filter(({ to }) => to === 'INDICATOR_STATE_VERIFIED').length, 1);
});

describe('the other acts of a person', () => {
  const act = (name: string, body: unknown, credential: string | undefined = analyst, target = id) =>
    service.as(credential).send(`/v1/indicators/${target}:${name}`, { method: 'POST', body });
  const BODIES = {
    dispute: { reason: 'our scanner', tlp: 'TLP_MARKING_GREEN' },
    withdraw: { reason: 'never was one' },
    note: { text: 'ask the plant' },
  };

  for (const [name, body] of Object.entries(BODIES)) {
    test(`${name}: who may, and on what`, async () => {
      const all = await service.key({ scopes: ['admin'] });
      for (const [credential, status] of [
        ['wrong', 401],
        [all, 403],
        [sensor, 403],
        [service.token('indicators:read'), 403],
      ] as const)
        assert.equal((await act(name, '{', credential)).status, status);
      const nowhere = '6f9619ff-8b86-4011-b42d-00c04fc964ff';
      assert.equal((await act(name, body, analyst, nowhere)).status, 404);
      for (const wrong of [
        {},
        { reason: 'x'.repeat(2_001), text: 'x' },
        { ...body, tlp: 'TLP_MARKING_RED' },
        '{',
      ])
        assert.equal((await act(name, wrong)).status, 400, JSON.stringify(wrong).slice(0, 50));
      assert.equal((await act(name, { ...body, requestId: name })).status, 200);
      assert.equal((await act(name, { ...body, requestId: name })).status, 200);
      const history = await service.as(await service.key()).send(`/v1/indicators/${id}:history`);
      const { acts } = history.expect<{ acts: { kind: string; actor: string }[] }>(200);
      const kind = `HUMAN_ACT_KIND_${name.toUpperCase()}`;
      assert.equal(acts.filter((one) => one.kind === kind).length, 1);
    });
  }

  test('none of them, and no read of the history, is billed', async () => {
    const key = await service.issue({ scopes: ['indicators:read', 'usage:read'] });
    const reader = service.as(key.plaintext);
    const units = async () => (await reader.send('/v1/usage')).expect<object>(200);
    const before = await units();
    await act('note', BODIES.note);
    await act('dispute', BODIES.dispute);
    await reader.send(`/v1/indicators/${id}:history`);
    await reader.send(`/v1/indicators/${id}:stix`);
    assert.deepEqual(await units(), before);
    await reader.search();
    assert.notDeepEqual(await units(), before);
  });

  test('a dispute can be undone without a reason, and a withdrawal cannot', async () => {
    const { confidenceScore } = (await act('dispute', BODIES.dispute)).expect<{ confidenceScore: number }>(
      200,
    );
    assert.equal(confidenceScore, 0);
    const refused = (await verify(analyst, {})).expect<RpcStatus>(400);
    assert.equal(refused.details[0]?.reason, 'INDICATOR_DISPUTED');
    const undone = (await act('dispute', { undo: true })).expect<{ confidenceScore: number }>(200);
    assert.ok(undone.confidenceScore > 0);
    await act('withdraw', BODIES.withdraw);
    const final = (await act('dispute', { undo: true })).expect<RpcStatus>(400);
    assert.equal(final.details[0]?.reason, 'INDICATOR_WITHDRAWN');
  });
});
