import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Line } from '../reader.ts';
import { jsonRecords, sampleObjects } from './json-records.ts';
import { MAX_PIECE_BYTES } from './lines.ts';

async function* chunksOf(bytes: Uint8Array, ends: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const end of [...ends.map((at) => at % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)) {
    yield bytes.subarray(start, end);
    start = end;
  }
}

async function records(input: string | Uint8Array, ends: readonly number[] = []): Promise<Line[]> {
  const bytes = typeof input === 'string' ? Buffer.from(input) : input;
  return (await Array.fromAsync(jsonRecords(chunksOf(bytes, ends)))).flat();
}

async function texts(input: string): Promise<string[]> {
  return (await records(input)).map(({ text, fault }) => fault ?? text);
}

test('an object per line', async () => {
  assert.deepEqual(await records('{"a":1}\r\n\n{"b":2}'), [
    { text: '{"a":1}', number: 1 },
    { text: '', number: 2 },
    { text: '{"b":2}', number: 3 },
  ]);
});

test('one array: an element per line, all on one line, or each over many', async () => {
  assert.deepEqual(await records('[\n{"a": 1},\n{"b": "]},{["}\n]\n'), [
    { text: '{"a": 1}', number: 2 },
    { text: '{"b": "]},{["}', number: 3 },
  ]);
  assert.deepEqual(await texts('[{"a":[{"x":1},{"y":[]}]},{"b":"\\"\\\\"}]'), [
    '{"a":[{"x":1},{"y":[]}]}',
    '{"b":"\\"\\\\"}',
  ]);
  assert.deepEqual(await records('\u{feff}\n\n[\n  {\n    "a": {\n      "b": 1\n    }\n  },\n  {}\n]'), [
    { text: '{\n    "a": {\n      "b": 1\n    }\n  }', number: 4 },
    { text: '{}', number: 9 },
  ]);
  assert.deepEqual(await texts('[]'), []);
});

test('a damaged element does not take its neighbours along', async () => {
  const cases: [string, string[]][] = [
    ['[\n{"a": "cut\n{"b": 1},\n{"c": 2}]', ['{"a": "cut', '{"b": 1}', '{"c": 2}']],
    ['[\n{"a": 1,\n{"b": 1},\n{"c": 2}]', ['{"a": 1,', '{"b": 1}', '{"c": 2}']],
    ['[\n{"a": 1\n{"b": 1}]', ['{"a": 1', '{"b": 1}']],
    ['[{"a": [1}, {"b": 1}]', ['{"a": [1}', '{"b": 1}']],
    ['[1, "x, y", {"b": 1}}, true\n{"c": 2}]', ['1', '"x, y"', '{"b": 1}', '}', 'true', '{"c": 2}']],
    ['[{"a": 1}, {"b": ', ['{"a": 1}', '{"b":']],
    ['[{"a": "\0"}, {}]', ['NUL_BYTE', '{}']],
  ];
  for (const [input, expected] of cases) assert.deepEqual(await texts(input), expected, input);
});

test('an element that is too long is a fault and no more than that', async () => {
  const long = `{"a":"${'x'.repeat(MAX_PIECE_BYTES)}"}`;
  const lines = await records(`[${long},\n{"b":1}]`, [100, 500_000, 1_000_000]);
  assert.deepEqual(lines, [
    { text: '', number: 1, fault: 'LINE_TOO_LONG' },
    { text: '{"b":1}', number: 2 },
  ]);
  assert.ok((await records(`[{"a":${'['.repeat(2_000_000)}`)).length > 0);
});

test('a source that fails ends with a fault', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('[{"a":1},\n{"b"');
    throw new Error('gone');
  }
  assert.deepEqual((await Array.fromAsync(jsonRecords(failing()))).flat(), [
    { text: '{"a":1}', number: 1 },
    { text: '', number: 2, fault: 'READ_FAILED' },
  ]);
});

test('any array of objects comes out element by element, however it is written and cut', async () => {
  const arrays = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(arrays, fc.nat({ max: 3 }), fc.array(fc.nat()), async (array, indent, ends) => {
      const found = await records(Buffer.from(JSON.stringify(array, null, indent)), ends);
      assert.deepEqual(
        found.map(({ text }) => JSON.parse(text)),
        JSON.parse(JSON.stringify(array)),
      );
    }),
  );
});

test('any bytes: chunk boundaries make no difference', async () => {
  const pieces = fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '\\', '\n', ' ', 'a', '1', '\0', 'ü');
  const input = fc.array(pieces, { maxLength: 60 }).map((parts) => Buffer.from(`[${parts.join('')}`));
  await fc.assert(
    fc.asyncProperty(input, fc.array(fc.nat(), { maxLength: 8 }), async (bytes, ends) => {
      assert.deepEqual(await records(bytes, ends), await records(bytes));
    }),
    { numRuns: 500 },
  );
});

test('a sample gives the objects that are whole', () => {
  assert.deepEqual(sampleObjects(['{"a":1}', '{"cut', '[1]', '{"b":2}']), [{ a: 1 }, { b: 2 }]);
  assert.deepEqual(sampleObjects(['[', '  {', '    "a": 1', '  },', '  {']), [{ a: 1 }]);
  assert.deepEqual(sampleObjects([]), []);
});
