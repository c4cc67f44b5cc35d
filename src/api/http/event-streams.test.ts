// When a stream ends because of its credential.

import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { ServiceError } from '../../domain/errors.ts';
import { requireScope } from '../../gateway/authorize.ts';
import type { Caller } from '../../gateway/caller.ts';
import { Metrics } from '../../telemetry/metrics.ts';
import { FIELDS, testServer } from '../rest-server.test-support.ts';
import { admitRequest } from './admission.ts';
import { createEventStreams } from './event-streams.ts';
import { createMemoryLedger } from './ledger.ts';

const ADMINISTRATOR: Caller = {
  credential: 'session',
  id: 'person|ann',
  account: 'plant',
  actor: 'ann',
  name: 'ann',
  scopes: new Set(['admin']),
  ceiling: 'AMBER',
  reliability: 0.9,
};

/** What a stream sends until it ends, if its caller is another one from the first look on. */
async function streamed(then: Caller, now: () => Caller): Promise<string> {
  const stopping = new AbortController();
  const admit = Object.assign(async () => ({ caller: then, fields: FIELDS }), { again: async () => now() });
  const open = createEventStreams({
    admit,
    clock: Date.now,
    open: createMemoryLedger(),
    metrics: new Metrics(),
    stopping: stopping.signal,
  });
  const flow = { next: async () => undefined, heartbeat: () => '', end: (reason: string) => reason };
  const { app } = testServer({
    plugins: [
      (scope) =>
        scope.get('/stream', async (request, reply) => {
          await admitRequest(admit, request, reply);
          open(request, reply, flow, (caller) => requireScope(caller, 'indicators:read'));
          mock.timers.tick(250);
          // After the look.
          setImmediate(() => stopping.abort());
          return reply;
        }),
    ],
  });
  const { body } = await app.inject('/stream');
  return body.replace('retry: 2000\n\n', '');
}

describe('a stream looks at its credential four times a second', () => {
  const end = async (then: Caller, now: () => Caller) => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      return await streamed(then, now);
    } finally {
      mock.timers.reset();
    }
  };
  const disabled = (): never => {
    throw new ServiceError('unauthenticated', 'no', { reason: 'CREDENTIAL_INVALID' });
  };

  test('it goes on with the same rights', async () => {
    assert.equal(
      await end(ADMINISTRATOR, () => ({ ...ADMINISTRATOR, scopes: new Set(['admin']) })),
      'UNAVAILABLE',
    );
  });

  test('it ends with other rights, also if they would be enough', async () => {
    for (const change of [
      { scopes: new Set(['indicators:read']) },
      { account: 'other' },
      { ceiling: 'RED' },
    ] as const)
      assert.equal(await end(ADMINISTRATOR, () => ({ ...ADMINISTRATOR, ...change })), 'RIGHTS_CHANGED');
  });

  test('the token of a person of this service ends as fast as the session', async () => {
    const token = { ...ADMINISTRATOR, credential: 'jwt' } as const;
    assert.equal(await end(token, disabled), 'CREDENTIAL_ENDED');
    // That of another issuer is read again less often.
    assert.equal(await end({ ...token, id: 'https://login.example|ann' }, disabled), 'UNAVAILABLE');
  });
});
