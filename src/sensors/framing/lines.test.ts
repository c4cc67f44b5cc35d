import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Line } from '../reader.ts';
import { LineSplitter, MAX_PIECE_BYTES, splitLines } from './lines.ts';

function split(...chunks: (string | Uint8Array)[]): Line[] {
  const splitter = new LineSplitter();
  const lines = chunks.flatMap((chunk) =>
    splitter.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk),
  );
  return [...lines, ...splitter.end()];
}

function texts(...chunks: (string | Uint8Array)[]): string[] {
  return split(...chunks).map((line) => line.text);
}

/** Cuts bytes at these positions. */
function cut(bytes: Uint8Array, positions: readonly number[]): Uint8Array[] {
  const ends = [...positions.map((position) => position % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

test('lines end with LF or CRLF, and the last one needs no end', () => {
  assert.deepEqual(texts('a\nb\r\n\nc'), ['a', 'b', '', 'c']);
  assert.deepEqual(texts('a\n'), ['a']);
  assert.deepEqual(texts(''), []);
  assert.deepEqual(texts('a\rb\n'), ['a\rb']);
});

test('lines are numbered from 1', () => {
  assert.deepEqual(
    split('a\n', 'b\nc').map((line) => line.number),
    [1, 2, 3],
  );
});

test('a byte order mark is dropped at the start and kept elsewhere', () => {
  assert.deepEqual(texts('\u{feff}a\n\u{feff}b'), ['a', '\u{feff}b']);
});

test('a character may be cut by a chunk, and what is no UTF-8 is replaced', () => {
  const bytes = Buffer.from('süd\n');
  assert.deepEqual(texts(bytes.subarray(0, 2), bytes.subarray(2)), ['süd']);
  assert.deepEqual(texts(Buffer.from([0x61, 0xff, 0x62])), ['a\u{fffd}b']);
});

test('a line with a NUL byte is a fault and leaves its neighbours alone', () => {
  assert.deepEqual(split('a\n\0\0b\nc'), [
    { text: 'a', number: 1 },
    { text: '', number: 2, fault: 'NUL_BYTE' },
    { text: 'c', number: 3 },
  ]);
});

test('a line of the greatest length passes, a longer one is a fault, however it comes', () => {
  const longest = 'x'.repeat(MAX_PIECE_BYTES);
  assert.equal(texts(`${longest}\ny`)[0], longest);
  for (const chunks of [[`${longest}x\ny`], [longest, 'x', '\ny'], ['x', `${longest}\n`, 'y']]) {
    assert.deepEqual(split(...chunks), [
      { text: '', number: 1, fault: 'LINE_TOO_LONG' },
      { text: 'y', number: 2 },
    ]);
  }
  assert.deepEqual(split(longest, 'x'), [{ text: '', number: 1, fault: 'LINE_TOO_LONG' }]);
});

test('chunks may be used again by their owner', () => {
  const chunk = Buffer.from('ab');
  const splitter = new LineSplitter();
  splitter.push(chunk);
  chunk.fill('z');
  assert.deepEqual(splitter.push(Buffer.from('c\n')), [{ text: 'abc', number: 1 }]);
});

test('chunk boundaries make no difference', () => {
  const pieces = fc.constantFrom('\n', '\r\n', '\r', 'a', 'ü', '\u{feff}', '\0', '𝄞', 'line');
  fc.assert(
    fc.property(fc.array(pieces), fc.array(fc.nat()), (parts, positions) => {
      const bytes = Buffer.from(parts.join(''));
      assert.deepEqual(split(...cut(bytes, positions)), split(bytes));
    }),
  );
});

test('lines are those of the plain definition', () => {
  const text = fc.string({ unit: fc.constantFrom('\n', '\r', 'a', 'ß') });
  fc.assert(
    fc.property(text, (input) => {
      const expected = input.split('\n').map((line) => line.replace(/\r$/, ''));
      if (input === '' || input.endsWith('\n')) expected.pop();
      assert.deepEqual(texts(input), expected);
    }),
  );
});

test('a source that fails ends with a faulty line', async () => {
  async function* failing(code: string): AsyncGenerator<Uint8Array> {
    yield Buffer.from('a\nb');
    throw Object.assign(new Error('no more'), { code });
  }
  const read = async (code: string): Promise<Line[]> =>
    (await Array.fromAsync(splitLines(failing(code)))).flat();
  assert.deepEqual(await read('EIO'), [
    { text: 'a', number: 1 },
    { text: '', number: 2, fault: 'READ_FAILED' },
  ]);
  assert.equal((await read('Z_BUF_ERROR'))[1]?.fault, 'DAMAGED_GZIP');
});
