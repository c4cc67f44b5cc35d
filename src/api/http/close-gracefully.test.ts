// The end of a server with a connection that has sent nothing, and with a request that is being answered.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { test } from 'node:test';
import fastify from 'fastify';
import { closeGracefully, noteConnections } from './close-gracefully.ts';

test('nothing is waited for but accepted requests', async () => {
  const app = fastify();
  noteConnections(app.server);
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string>();
  app.get('/', () => {
    asked.resolve();
    return answer.promise;
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const unused = connect(port, '127.0.0.1');
  await once(unused, 'connect');
  const response = fetch(`http://127.0.0.1:${port}/`);
  await asked.promise;
  const closed = closeGracefully(app, 60_000);
  unused.resume();
  await once(unused, 'close');
  answer.resolve('done');
  assert.equal(await (await response).text(), 'done');
  assert.equal(await closed, true);
});
