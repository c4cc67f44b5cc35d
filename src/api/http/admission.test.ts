// What caches may keep of an answer, by the credential of its request.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../gateway/caller.ts';
import { FIELDS, testServer } from '../rest-server.test-support.ts';
import { admitRequest } from './admission.ts';

const CALLER: Caller = {
  credential: 'api-key',
  id: 'k',
  account: 'plant',
  actor: 'k',
  name: 'k',
  scopes: new Set(['indicators:read']),
  ceiling: 'AMBER',
  reliability: 0.9,
};

test('no cache keeps an answer to a session cookie', async () => {
  let caller = CALLER;
  const { app } = testServer({
    plugins: [
      (scope) =>
        scope.get('/private', async (request, reply) => {
          await admitRequest(async () => ({ caller, fields: FIELDS }), request, reply);
          return reply.send('private');
        }),
    ],
  });
  // Of an answer to an Authorization header a shared cache knows this by itself.
  assert.equal((await app.inject('/private')).headers['cache-control'], undefined);
  caller = { ...CALLER, credential: 'session', id: 'person|ann' };
  assert.equal((await app.inject('/private')).headers['cache-control'], 'no-store');
});
