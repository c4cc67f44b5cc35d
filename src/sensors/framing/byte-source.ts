// Bytes of a log: chunks of any size, unpacked if they are gzip.

import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/**
 * Unpacks gzip, which it recognises by its magic bytes (RFC 1952 §2.3.1), and passes other bytes on unchanged.
 * Concatenated members, as rotated logs have them, are one stream. Damage rejects with an error whose `code` starts
 * with `Z_`.
 */
export async function* unpacked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    const head = await takeAtLeast(source, 2);
    const whole = chained(head, source);
    if (head[0] === 0x1f && head[1] === 0x8b) {
      yield* gunzip(whole);
    } else {
      yield* whole;
    }
  } finally {
    await source.return?.();
  }
}

/** The same chunks. The size of each chunk is reported as it passes. */
export async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    onBytes(chunk.byteLength);
    yield chunk;
  }
}

/** Bytes already taken from a source, then the rest of it. */
export async function* chained(
  head: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (head.byteLength > 0) yield head;
  for (;;) {
    const next = await rest.next();
    if (next.done === true) return;
    yield next.value;
  }
}

async function takeAtLeast(source: AsyncIterator<Uint8Array>, count: number): Promise<Uint8Array> {
  const taken: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < count) {
    const next = await source.next();
    if (next.done === true) break;
    taken.push(next.value);
    bytes += next.value.byteLength;
  }
  const [only] = taken;
  return taken.length === 1 && only !== undefined ? only : Buffer.concat(taken);
}

async function* gunzip(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const stream = createGunzip();
  // The iteration below throws the error of either end, because the pipeline destroys the stream with it.
  pipeline(Readable.from(chunks), stream, () => {});
  for await (const chunk of stream) yield chunk;
}
