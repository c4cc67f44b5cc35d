// Rules about adding and deleting (TAXII 2.1 §4.3, §5.5, §5.7), tested only if the operator named a collection for it. One
// indicator of a documentation address is written, and deleted at the end.

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../answer.ts';
import { TAXII_MEDIA_TYPE } from '../http-client.ts';
import { canonical, isText, type JsonObject, shown } from '../json-value.ts';
import { type CollectionPaths, collectionPaths } from '../paths.ts';
import { must, type Rule, should } from '../rule.ts';
import type { Survey } from '../survey.ts';
import { isTaxiiTimestamp } from '../timestamp.ts';
import { check, checkNone, needed, Untested } from '../violation.ts';
import { readPage } from '../walk.ts';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const PATIENCE_MS = 10_000;
const INTERVAL_MS = 200;

/** No larger body is sent, out of consideration for the server. */
const MOST_BYTES_SENT = 16 * 1024 * 1024;

interface Written {
  readonly object: JsonObject;
  readonly answer: Answer;
}

/** The object written to each server. The rules share it. */
const written = new WeakMap<Survey, Promise<Written>>();

const rules: readonly Rule[] = [
  must('5.5', 'writing: an envelope is 202 with a status', async (survey) => {
    const { answer } = await write(survey);
    checkStatus(answer.expect(202).json() as JsonObject);
  }),

  must('4.3', 'writing: the status can be asked for, and is complete in the end', async (survey) => {
    const { answer } = await write(survey);
    const status = await finished(survey, answer);
    checkStatus(status);
    check(status.status === 'complete', `after ${PATIENCE_MS} ms it is ${shown(status.status)}`);
  }),

  should('5.5', 'writing: a plain indicator is taken', async (survey) => {
    const { answer } = await write(survey);
    const { success_count, failures } = await finished(survey, answer);
    check(success_count === 1, `it is refused: ${shown(failures)}`);
  }),

  must('5.5', 'writing: the same object again does no harm', async (survey) => {
    const { object } = await taken(survey);
    const again = (await post(survey, JSON.stringify({ objects: [object] }))).expect(202);
    const status = await finished(survey, again);
    check(status.failure_count === 0, `it is a failure: ${shown(status.failures)}`);
  }),

  should('5.5', 'writing: what was added can be read', async (survey) => {
    const { object } = await taken(survey);
    const { self, object: pathOf } = target(survey);
    const { can_read } = (await survey.http.send(self)).object();
    if (can_read === false) throw new Untested('the collection cannot be read');
    const { items } = await readPage(survey.http, pathOf(String(object.id)));
    check(canonical(items[0]) === canonical(object), `it reads ${shown(items[0])}`);
  }),

  must('5.5', 'writing: a body that is no JSON is refused', async (survey) => {
    (await post(survey, '{"objects":[')).expect(400, 422);
  }),

  must('5.5', 'writing: a body that is no envelope is refused', async (survey) => {
    (await post(survey, '["objects"]')).expect(400, 422);
  }),

  // The body of a TAXII 2.0 client. A server that takes it for an envelope ignores its content.
  should('5.5', 'writing: a bundle is no envelope', async (survey) => {
    const { object } = await write(survey);
    const bundle = { type: 'bundle', id: `bundle--${randomUUID()}`, objects: [object] };
    (await post(survey, JSON.stringify(bundle))).expect(400, 422);
  }),

  must('1.6.8', 'writing: a Content-Type without its version is taken', async (survey) => {
    const { object } = await write(survey);
    const body = JSON.stringify({ objects: [object] });
    (await post(survey, body, { 'content-type': 'application/taxii+json' })).expect(202);
  }),

  should('1.6.8', 'writing: another Content-Type is 415', async (survey) => {
    (await post(survey, '{}', { 'content-type': 'text/plain' })).expect(415);
  }),

  should('5.5', 'writing: a body beyond max_content_length is 413', async (survey) => {
    const most = Number(survey.apiRoot.object().max_content_length);
    if (!(most < MOST_BYTES_SENT)) throw new Untested('so large a body is not sent');
    (await post(survey, ' '.repeat(most + 1))).expect(413);
  }),

  must('5.7', 'writing: what was deleted is 404', async (survey) => {
    const { object } = await taken(survey);
    const path = target(survey).object(String(object.id));
    const answer = await survey.http.send(path, { method: 'DELETE' });
    if ([403, 404, 405].includes(answer.status))
      throw new Untested(`deleting is answered with ${answer.status}`);
    answer.expect(200);
    (await survey.http.send(path)).expect(404);
  }),
];

export const writingRules: readonly Rule[] = rules.map((rule) => ({ ...rule, writes: true }));

function target(survey: Survey): CollectionPaths {
  return collectionPaths(
    survey.root,
    needed(survey.options.writable, 'no collection was named with --collection-writable'),
  );
}

function write(survey: Survey): Promise<Written> {
  const known = written.get(survey);
  if (known !== undefined) return known;
  const object = indicator();
  const writing = post(survey, JSON.stringify({ objects: [object] })).then((answer) => ({ object, answer }));
  written.set(survey, writing);
  return writing;
}

/** @throws Untested if the server did not accept the object. */
async function taken(survey: Survey): Promise<Written> {
  const attempt = await write(survey);
  const { success_count } = await finished(survey, attempt.answer);
  if (success_count !== 1) throw new Untested('the server did not take the object');
  return attempt;
}

async function post(survey: Survey, body: string, headers: Readonly<Record<string, string>> = {}) {
  const { objects } = target(survey);
  const all = { 'content-type': TAXII_MEDIA_TYPE, ...headers };
  return survey.http.send(objects, { method: 'POST', headers: all, body });
}

/** The final status of each submission, by its first answer, so that each is awaited once. */
const ends = new WeakMap<Answer, Promise<JsonObject>>();

/** The status resource when nothing is pending, or when the time is over. */
function finished(survey: Survey, answer: Answer): Promise<JsonObject> {
  const end = ends.get(answer) ?? untilComplete(survey, answer);
  ends.set(answer, end);
  return end;
}

async function untilComplete({ http, root }: Survey, answer: Answer): Promise<JsonObject> {
  const { id } = answer.expect(202).json() as JsonObject;
  const path = `${root}status/${String(id)}/`;
  for (let waited = 0; ; waited += INTERVAL_MS) {
    const status = (await http.send(path)).object();
    if (status.status === 'complete' || waited >= PATIENCE_MS) return status;
    await delay(INTERVAL_MS);
  }
}

/** §4.3.1. */
function checkStatus(status: JsonObject): void {
  const { id, status: state, request_timestamp: at, successes, failures, pendings } = status;
  const counts = ['total_count', 'success_count', 'failure_count', 'pending_count'];
  const [total = 0, ...parts] = counts.map((name) => Number(status[name]));
  checkNone([
    ...(UUID_V4.test(String(id)) ? [] : [`id is ${shown(id)}`]),
    ...(state === 'complete' || state === 'pending' ? [] : [`status is ${shown(state)}`]),
    ...counts
      .filter((name) => !Number.isInteger(status[name]))
      .map((name) => `${name} is ${shown(status[name])}`),
    ...(parts.reduce((sum, part) => sum + part, 0) === total ? [] : ['the counts do not add up']),
    ...(at === undefined || isTaxiiTimestamp(at) ? [] : [`request_timestamp is ${shown(at)}`]),
    ...[successes, failures, pendings].flat().flatMap((details) => {
      const { id: of, version } = (details ?? { id: '-', version: '-' }) as JsonObject;
      return isText(of) && isText(version) ? [] : [`a detail without id or version: ${shown(details)}`];
    }),
  ]);
}

function indicator(): JsonObject {
  const now = new Date().toISOString();
  return {
    type: 'indicator',
    spec_version: '2.1',
    id: `indicator--${randomUUID()}`,
    created: now,
    modified: now,
    name: 'TAXII conformance suite',
    description: 'Written by a test, and of no meaning.',
    indicator_types: ['unknown'],
    pattern: "[ipv4-addr:value = '192.0.2.66']",
    pattern_type: 'stix',
    pattern_version: '2.1',
    valid_from: now,
  };
}
