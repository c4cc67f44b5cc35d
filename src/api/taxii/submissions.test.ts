// Submissions: their stored statuses, which lose nothing, and the daily volume of an account.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatMicros } from '../../domain/date-added.ts';
import { ServiceError } from '../../domain/errors.ts';
import { DAY } from '../../domain/instant.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { EventStatus } from '../../pipeline/reporter.ts';
import { createSubmissions, type SubmissionDeps } from './submissions.ts';

const NOW = Date.UTC(2026, 2, 1);
const REQUESTED = formatMicros(NOW * 1_000);
const CALLER: Caller = {
  credential: 'api-key',
  id: 'k',
  account: 'partner',
  actor: 'k',
  name: 'k',
  scopes: new Set(['feed:write']),
  ceiling: 'RED',
  reliability: 1,
};
/** Bytes that all reasons take together, each once. */
const ALL_REASONS = 4_096;

interface Status {
  readonly id: string;
  readonly total_count: number;
  readonly success_count: number;
  readonly failure_count: number;
  readonly successes?: readonly Detail[];
  readonly failures?: readonly Detail[];
}

interface Detail {
  readonly id: string;
  readonly version: string;
  readonly message?: string;
}

function submissions(deps: Partial<SubmissionDeps> = {}, verdicts: readonly EventStatus[] = ['ACCEPTED']) {
  const kept = new Map<string, string>();
  let events = 0;
  const { submit, status } = createSubmissions({
    indicators: { record: async () => undefined },
    installation: { secret: Buffer.alloc(32, 7), createdAt: NOW },
    commands: {
      ingest: async (batch) =>
        batch.map(({ eventId }) => ({
          eventId,
          status: verdicts[events++ % verdicts.length] ?? 'ACCEPTED',
          reason: 'PRIVATE_ADDRESS',
        })),
      keepStatus: async (id, account, text) => void kept.set(`${account}/${id}`, text),
    },
    recallStatus: async (id, account) => kept.get(`${account}/${id}`),
    spendEvents: async () => {},
    clock: () => NOW,
    defaultTlp: 'GREEN',
    ...deps,
  });
  return {
    kept,
    status,
    post: async (body: string, account = CALLER.account) =>
      (await submit({ ...CALLER, account }, Buffer.from(body))) as Status,
  };
}

function anIndicator(number: number): object {
  const time = '2026-03-01T12:00:00.000Z';
  return {
    type: 'indicator',
    spec_version: '2.1',
    id: `indicator--0a6c7a4e-8d55-4f4b-9d3f-${String(number).padStart(12, '0')}`,
    created: time,
    modified: time,
    pattern: `[domain-name:value = 'h${number}.example']`,
    pattern_type: 'stix',
    valid_from: time,
  };
}

const sent = fc.array(
  fc.oneof(
    fc.constant({}),
    fc.record(
      {
        id: fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constant(5)),
        type: fc.constantFrom('indicator', 'sighting', 'malware', 5),
        modified: fc.constantFrom('2026-03-01T12:00:00Z', '2026-03-01T12:00:00.123456789Z', 'now', null),
        created: fc.constantFrom('2026-03-01T12:00:00Z', ''),
        labels: fc.constantFrom([], {}),
      },
      { requiredKeys: [] },
    ),
    fc.nat(9).map(anIndicator),
  ),
  { minLength: 1, maxLength: 60 },
);

test('what is kept of a status is about as much as was sent, and says all again', async () => {
  await fc.assert(
    fc.asyncProperty(sent, async (objects) => {
      const { post, status, kept } = submissions({}, ['ACCEPTED', 'DUPLICATE', 'REFUSED']);
      const body = JSON.stringify({ objects });
      const answer = await post(body);
      assert.deepEqual(JSON.parse(await status(CALLER, answer.id)), answer);
      const { successes = [], failures = [], success_count, failure_count, total_count } = answer;
      assert.deepEqual([successes.length, failures.length], [success_count, failure_count]);
      assert.equal(success_count + failure_count, total_count);
      assert.equal(total_count, objects.length);
      const [text = ''] = kept.values();
      const size = Buffer.byteLength(text);
      assert.ok(size <= Buffer.byteLength(body) + ALL_REASONS, `${size} for ${body}`);
    }),
    { numRuns: 200 },
  );
});

test('the smallest objects, and messages of every kind, take no more than the request', async () => {
  for (const objects of [
    Array.from({ length: 20_000 }, () => ({})),
    Array.from({ length: 4_000 }, (_, index) => (index % 2 === 0 ? {} : { id: 'a' })),
    Array.from({ length: 4_000 }, (_, index) => (index % 2 === 0 ? {} : { type: 'sighting' })),
    Array.from({ length: 2_000 }, (_, index) => ({ id: `${index}`, created: '2026-03-01T12:00:00Z' })),
    Array.from({ length: 2_000 }, (_, index) => anIndicator(index)),
    Array.from({ length: 2_000 }, (_, index) => ({ ...anIndicator(index), pattern: `[x:y${index} = 'a']` })),
  ]) {
    const { post, kept } = submissions({}, ['ACCEPTED', 'DUPLICATE', 'REFUSED']);
    const body = JSON.stringify({ objects });
    const { total_count } = await post(body);
    assert.equal(total_count, objects.length);
    const [text = ''] = kept.values();
    assert.ok(text.length <= body.length + ALL_REASONS, `${text.length} for ${body.length}`);
  }
});

test('objects are named in their order, by their place when they have no id', async () => {
  const { post } = submissions({}, ['ACCEPTED', 'REFUSED']);
  const [first, second] = [anIndicator(1), anIndicator(2)];
  const objects = [{}, { id: 'x' }, first, {}, {}, { created: '2026-03-01T12:00:00Z' }, second, {}];
  const { successes = [], failures = [] } = await post(JSON.stringify({ objects }));
  assert.deepEqual(successes, [
    { id: 'indicator--0a6c7a4e-8d55-4f4b-9d3f-000000000001', version: '2026-03-01T12:00:00.000Z' },
  ]);
  assert.deepEqual(
    failures.map(({ id, version }) => [id, version]),
    [
      ['objects[0]', REQUESTED],
      ['x', REQUESTED],
      ['objects[3]', REQUESTED],
      ['objects[4]', REQUESTED],
      ['objects[5]', '2026-03-01T12:00:00Z'],
      ['indicator--0a6c7a4e-8d55-4f4b-9d3f-000000000002', '2026-03-01T12:00:00.000Z'],
      ['objects[7]', REQUESTED],
    ],
  );
  assert.equal(failures[0]?.message, 'only indicators and sightings are accepted');
  assert.equal(failures[5]?.message, 'refused: PRIVATE_ADDRESS');
});

test('an account can submit so much in a day and no more, and is told when it can again', async () => {
  let now = NOW;
  const { post } = submissions({ clock: () => now, dailyBytes: 100_000 });
  const body = JSON.stringify({ objects: [anIndicator(1)], x: 'x'.repeat(9_000) });
  /** Posts until a submission is refused, and returns the refusal. */
  const refusalAfter = async (taken: number): Promise<ServiceError> => {
    for (let count = 0; count < taken; count++) await post(body);
    const fault = await post(body).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(fault instanceof ServiceError, 'it is taken');
    return fault;
  };
  const fault = await refusalAfter(10);
  assert.deepEqual([fault.code, fault.details.reason], ['resource_exhausted', 'SUBMISSION_VOLUME_EXCEEDED']);
  // Bodies that are no envelope and submissions of other accounts do not count.
  await assert.rejects(post('{}'), { details: { reason: 'NOT_AN_ENVELOPE' } });
  assert.equal((await post(body, 'other')).success_count, 1);
  now += fault.details.retryAfterMs ?? 0;
  await refusalAfter(1);
  now += DAY;
  await refusalAfter(10);
});

test('small bodies count more than their bytes, as their statuses take more', async () => {
  const { post } = submissions({ dailyBytes: 100_000 });
  await assert.rejects(async () => {
    for (let count = 0; count < 200; count++) await post('{"objects":[{}]}');
  }, /the account is over its volume/);
});
