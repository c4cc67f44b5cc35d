// One input from bytes to results: framing, then a reader.

import type { ReaderOptions, RecordResult, SensorFormat } from '../reader.ts';

/** The results of all records in the order of the input, some at a time. Ends where the bytes end or fail. */
export async function* readRecords(
  bytes: AsyncIterable<Uint8Array>,
  format: SensorFormat,
  options: ReaderOptions,
): AsyncGenerator<readonly RecordResult[]> {
  const reader = format.createReader(options);
  for await (const lines of format.frame(bytes)) {
    const results: RecordResult[] = [];
    for (const line of lines) {
      const result = reader.read(line);
      if (result !== undefined) results.push(result);
    }
    if (results.length > 0) yield results;
  }
  const last = reader.end();
  if (last !== undefined) yield [last];
}
