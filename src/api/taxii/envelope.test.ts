// Envelopes: accepted, refused, and cheap to read up to the size limit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../domain/errors.ts';
import { statusOf } from '../http/errors.ts';
import { readEnvelope } from './envelope.ts';
import { MAX_CONTENT_LENGTH } from './resources.ts';

const read = (text: string) => readEnvelope(Buffer.from(text));

/** Status, reason and message. */
function faultOf(text: string | Buffer): readonly [number, string, string] {
  try {
    readEnvelope(Buffer.from(text));
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return [statusOf(error), error.details.reason, error.message];
  }
  return assert.fail(`taken: ${text.slice(0, 100)}`);
}

test('of the objects the members of indicators and sightings are read, with their JSON types', () => {
  const [object, ...others] = read(
    `{"x":[{}],"objects":[{"type":"sighting","count":2.5e1,"revoked":false,"lang":null,"labels":["\\u00e9",1,{"a":[]},[[]]],
      "extensions":{"a":{"b":1}},"pattern":[],"other":{"type":"x"},"__proto__":{"id":"x"}}],"more":false}`,
  );
  // A prototype from the body would give the object members of its own.
  assert.equal(Object.getPrototypeOf(object), Object.prototype);
  assert.deepEqual(object, {
    type: 'sighting',
    count: 25,
    revoked: false,
    lang: null,
    labels: ['é', 1, {}, []],
    extensions: {},
    pattern: [],
  });
  assert.deepEqual(others, []);
});

test('what is not JSON is told where', () => {
  for (const text of [
    '',
    '{',
    '{"objects":[{}]}x',
    '{"objects":[{"x":\'a\'}]}',
    '{"objects":[{"id":"\\ud800"}]}',
  ]) {
    const [status, reason, message] = faultOf(text);
    assert.deepEqual([status, reason], [400, 'MALFORMED_JSON'], text);
    assert.match(message, /character \d+/);
  }
  assert.match(faultOf(Buffer.from([0x7b, 0xff, 0x7d]))[2], /UTF-8/);
});

test('a member that is given twice is a fault: readers disagree on which one counts', () => {
  const twice = '{"objects":[{},{"object_marking_refs":["a"],"object_marking_refs":["b"]}]}';
  const [status, reason, message] = faultOf(twice);
  assert.deepEqual([status, reason], [400, 'INVALID_ARGUMENT']);
  assert.equal(message, 'objects[1].object_marking_refs: is given more than once');
  assert.match(faultOf('{"objects":[{}],"objects":[{}]}')[2], /^objects: /);
  assert.match(faultOf('{"objects":[{"\\u0069d":"a","id":"b"}]}')[2], /^objects\[0\]\.id: /);
  assert.equal(read('{"objects":[{"id":"a"},{"id":"b"}]}').length, 2);
});

test('what is no envelope is 422, and a bundle is called one', () => {
  for (const text of [
    '5',
    'null',
    '[]',
    '{}',
    '{"objects":[]}',
    '{"objects":{}}',
    '{"objects":[null,{}]}',
    '[[{}]]',
  ]) {
    assert.deepEqual(faultOf(text).slice(0, 2), [422, 'NOT_AN_ENVELOPE'], text);
  }
  for (const text of [
    '{"type":"bundle","objects":[{}]}',
    '{"objects":[],"type":"bundle"}',
    '{"type":"bundle"}',
  ]) {
    const [status, reason, message] = faultOf(text);
    assert.deepEqual([status, reason], [422, 'NOT_AN_ENVELOPE']);
    assert.match(message, /is a STIX bundle.*§3\.7 wants an envelope/);
  }
});

test('an envelope has at most 20,000 objects', () => {
  const envelope = (count: number) => `{"objects":[${Array.from({ length: count }, () => '{}').join()}]}`;
  assert.equal(read(envelope(20_000)).length, 20_000);
  const [status, reason, message] = faultOf(envelope(20_001));
  assert.deepEqual([status, reason], [422, 'TOO_MANY_OBJECTS']);
  assert.match(message, /at most 20000 objects/);
});

test('the largest bodies cost little, whatever they are filled with', () => {
  const shapes: readonly (readonly [open: string, piece: string, close: string])[] = [
    ['{"objects":[', '{},', '{}]}'],
    ['{"objects":[{"x":[', '[],', '1]}]}'],
    ['{"objects":[{"x":[', '{"a":1},', '1]}]}'],
    ['{"objects":[{"labels":[', '{},', '1]}]}'],
    ['{"objects":[{"labels":[', '"",', '""]}]}'],
    ['{"objects":[{"x":', '[', ''],
    ['{"objects":[', '{"objects":[', ''],
    ['{"objects":[{', '"id":1,', '"id":1}]}'],
    ['{', '"objects":[],', '"objects":[]}'],
    ['{"objects":[{"id":"', '\\n', '"}]}'],
    ['{"objects":[{"pattern":"', "\\\\'", '"}]}'],
    ['{"objects":[{"pattern":"', '\\u00e9', '"}]}'],
    ['{"objects":[{"count":', '9', '}]}'],
  ];
  for (const [open, piece, close] of shapes) {
    const count = Math.floor((MAX_CONTENT_LENGTH - open.length - close.length) / piece.length);
    const body = Buffer.from(open + piece.repeat(count) + close);
    const started = process.threadCpuUsage();
    try {
      readEnvelope(body);
    } catch (error) {
      assert.ok(error instanceof ServiceError, piece);
    }
    const { user } = process.threadCpuUsage(started);
    assert.ok(user < 5_000_000, `${piece}: ${user / 1_000} ms`);
  }
});
