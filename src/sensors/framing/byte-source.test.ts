import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { counted, unpacked } from './byte-source.ts';

async function* chunksOf(bytes: Uint8Array, size = bytes.length): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(chunks)).toString();
}

test('gzip is unpacked, in chunks of any size, several members in a row', async () => {
  const packed = Buffer.concat([gzipSync('first\n'), gzipSync('second\n')]);
  for (const size of [1, 2, 7, packed.length]) {
    assert.equal(await textOf(unpacked(chunksOf(packed, size))), 'first\nsecond\n');
  }
});

test('anything else passes unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), fc.integer({ min: 1, max: 8 }), async (bytes, size) => {
      fc.pre(!(bytes[0] === 0x1f && bytes[1] === 0x8b));
      assert.deepEqual(
        Buffer.concat(await Array.fromAsync(unpacked(chunksOf(bytes, size)))),
        Buffer.from(bytes),
      );
    }),
  );
});

test('gzip that is cut off or damaged rejects with a code of zlib', async () => {
  const packed = gzipSync('x'.repeat(10_000));
  const damaged = Buffer.from(packed);
  damaged.fill(0xff, 12, 30);
  for (const bytes of [packed.subarray(0, packed.length - 12), damaged, Buffer.from([0x1f, 0x8b, 9, 9])]) {
    await assert.rejects(textOf(unpacked(chunksOf(bytes))), ({ code }: { code: string }) =>
      code.startsWith('Z_'),
    );
  }
});

test('an error of the source comes through the unpacking', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield gzipSync('text').subarray(0, 15);
    throw new Error('disk gone');
  }
  await assert.rejects(textOf(unpacked(failing())), /disk gone/);
});

test('the source is closed when nobody reads on', async () => {
  let closed = 0;
  async function* endless(first: Uint8Array): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield first;
    } finally {
      closed += 1;
    }
  }
  for (const first of [Buffer.from('plain'), gzipSync('packed')]) {
    for await (const _ of unpacked(endless(first))) break;
  }
  assert.equal(closed, 2);
});

test('bytes are counted as they pass', async () => {
  let bytes = 0;
  const passed = counted(chunksOf(Buffer.from('abcdef'), 4), (count) => {
    bytes += count;
  });
  assert.equal(await textOf(passed), 'abcdef');
  assert.equal(bytes, 6);
});
