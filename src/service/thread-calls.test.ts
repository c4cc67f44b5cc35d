import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { callThread } from './thread-calls.ts';

interface Calls {
  add(a: number, b: number): Promise<number>;
  refuse(): Promise<never>;
  crash(): Promise<never>;
  hang(): Promise<never>;
}

const NAMES = ['add', 'refuse', 'crash', 'hang'];

/** A thread with those calls, which writes down the errors it was told of. */
const ENTRY = `
  import { parentPort } from 'node:worker_threads';
  import { ServiceError } from ${JSON.stringify(new URL('../domain/errors.ts', import.meta.url).href)};
  import { answerCalls } from ${JSON.stringify(new URL('./thread-calls.ts', import.meta.url).href)};
  answerCalls(parentPort, {
    add: async (a, b) => a + b,
    refuse: async () => {
      throw new ServiceError('unavailable', 'not now', { reason: 'BUSY', retryAfterMs: 7, cause: new Error('secret') });
    },
    crash: async () => { throw new TypeError('secret'); },
    hang: () => new Promise(() => undefined),
  }, (error) => parentPort.postMessage({ told: error.message }));
`;

function start(): { worker: Worker; calls: Calls } {
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(ENTRY)}`));
  return { worker, calls: callThread<Calls>(worker, NAMES) };
}

test('calls are answered, each with its own value', async () => {
  const { worker, calls } = start();
  assert.deepEqual(await Promise.all([calls.add(1, 2), calls.add(3, 4)]), [3, 7]);
  await worker.terminate();
});

test('a ServiceError arrives as one, without its cause; anything else is internal and told to the thread', async () => {
  const { worker, calls } = start();
  const told = new Promise((resolve) =>
    worker.on('message', (message) => 'told' in message && resolve(message.told)),
  );
  await assert.rejects(calls.refuse(), {
    name: 'ServiceError',
    code: 'unavailable',
    message: 'not now',
    details: { reason: 'BUSY', retryAfterMs: 7 },
  });
  await assert.rejects(calls.crash(), { name: 'ServiceError', code: 'internal', message: 'internal error' });
  assert.equal(await told, 'secret');
  await worker.terminate();
});

test('calls under way are unavailable when the thread ends', async () => {
  const { worker, calls } = start();
  await calls.add(0, 0);
  const hanging = assert.rejects(calls.hang(), {
    code: 'unavailable',
    details: { reason: 'STOPPING', retryAfterMs: 1_000 },
  });
  await worker.terminate();
  await hanging;
  await assert.rejects(calls.add(1, 2), { code: 'unavailable' });
});
