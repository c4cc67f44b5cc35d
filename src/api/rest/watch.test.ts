// The stream of a watch over a log that a test makes: a client far behind, filters, and what a stop sends.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type IndicatorWatch, MOST_BEHIND } from '../../feed/watch.ts';
import { Metrics } from '../../telemetry/metrics.ts';
import { createEventStreams } from '../http/event-streams.ts';
import { createMemoryLedger } from '../http/ledger.ts';
import { FIELDS, testServer } from '../rest-server.test-support.ts';

const PAGE = 2_500;
const READER = {
  credential: 'api-key',
  id: 'k',
  account: 'a',
  actor: 'k',
  name: 'k',
  reliability: 0.7,
} as const;

/** Pages without end, until the reader asks for the end; then nothing more. */
function endlessWatch(): IndicatorWatch & { readonly pages: () => number } {
  let pages = 0;
  let isAtEnd = false;
  return {
    pages: () => pages,
    start: async () => ({ at: { place: 1, dateAdded: 1 }, gap: 'TOO_OLD' }),
    end: async () => {
      isAtEnd = true;
      return { place: 9_999_999, dateAdded: 9_999_999 };
    },
    after: async ({ place }) => {
      if (isAtEnd) return undefined;
      pages += 1;
      const at = { place: place + PAGE, dateAdded: place + PAGE };
      const change = { at, indicatorId: `i${pages}`, indicator: async () => undefined };
      return { changes: [change, { ...change, document: '{"id":"x"}' }], at, entries: PAGE };
    },
  };
}

test('a client that is far behind gets a gap, and a stop ends the stream with a reason', async () => {
  const stopping = new AbortController();
  const watch = endlessWatch();
  const caller = { ...READER, scopes: new Set(['indicators:read']), ceiling: 'GREEN' } as const;
  const admit = async () => ({ caller, fields: FIELDS });
  const streams = createEventStreams({
    admit,
    clock: Date.now,
    open: createMemoryLedger(),
    metrics: new Metrics(),
    stopping: stopping.signal,
  });
  const { app } = testServer({
    admit,
    watch,
    openStream: (request, reply, flow, mayRead) =>
      streams(request, reply, { ...flow, next: () => flow.next().then(stopAtEnd) }, mayRead),
  });
  /** Nothing more comes behind the gap, so the service stops there. */
  const stopAtEnd = (text: string | undefined) => {
    if (text === undefined) stopping.abort();
    return text;
  };
  const { statusCode, headers, body } = await app.inject({ url: '/v1/indicators:watch?filter.tags=t' });
  assert.equal(statusCode, 200);
  assert.deepEqual([headers['content-type'], headers['cache-control']], ['text/event-stream', 'no-store']);
  const pages = MOST_BEHIND / PAGE;
  assert.equal(watch.pages(), pages);
  // The filter leaves out the indicators, and the removed ones come.
  const removed = Array.from(
    { length: pages },
    (_, page) => `event: removed\ndata: {"removed":{"indicatorId":"i${page + 1}"}}`,
  );
  const events = body.split('\n\n').map((event) => event.replace(/^id: .*\n/, ''));
  assert.deepEqual(events, [
    'retry: 2000',
    'event: ready\ndata: {"ready":{"heartbeatSeconds":15}}',
    'event: gap\ndata: {"gap":{"reason":"WATCH_GAP_REASON_TOO_OLD"}}',
    ...removed,
    'event: gap\ndata: {"gap":{"reason":"WATCH_GAP_REASON_BEHIND"}}',
    'event: end\ndata: {"end":{"reason":"WATCH_END_REASON_UNAVAILABLE"}}',
    '',
  ]);
  assert.match(body, /id: 9999999\.2\nevent: gap/);
});
