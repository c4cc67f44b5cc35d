// JSON logs: an object per line, as sensors write them, or one array of objects, as exports have them.

import { type Line, type LineFault, type RecordReader, type RecordResult, refused } from '../reader.ts';
import { ElementSplitter } from './json-elements.ts';
import { LineSplitter, type Splitter, splitWith } from './lines.ts';

const LINE_FEED = 0x0a;
const OPEN_BRACKET = 0x5b;
/** White space, and the bytes of a byte order mark. */
const BEFORE_CONTENT: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf]);

export function jsonRecords(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Line[]> {
  return splitWith(new RecordSplitter(), bytes);
}

/** The first byte with content decides: a bracket opens an array, anything else starts lines. */
class RecordSplitter implements Splitter {
  #splitter: Splitter = new LineSplitter();
  #decided = false;
  #line = 1;

  push(chunk: Uint8Array): readonly Line[] {
    if (!this.#decided) {
      const at = chunk.findIndex((byte) => !BEFORE_CONTENT.has(byte));
      this.#decided = at !== -1;
      if (this.#decided && chunk[at] === OPEN_BRACKET) {
        const line = this.#line + lineFeeds(chunk.subarray(0, at));
        this.#splitter = new ElementSplitter(line);
        return this.#splitter.push(chunk.subarray(at));
      }
      if (!this.#decided) this.#line += lineFeeds(chunk);
    }
    return this.#splitter.push(chunk);
  }

  end(): readonly Line[] {
    return this.#splitter.end();
  }

  fail(fault: LineFault): Line {
    return this.#splitter.fail(fault);
  }
}

function lineFeeds(bytes: Uint8Array): number {
  return bytes.reduce((count, byte) => (byte === LINE_FEED ? count + 1 : count), 0);
}

/**
 * The objects in the first lines of an input, for recognising its format. An element of an array counts if it ends
 * within these lines.
 */
export function sampleObjects(sample: readonly string[]): JsonObject[] {
  const splitter = new RecordSplitter();
  const pieces = [...splitter.push(Buffer.from(`${sample.join('\n')}\n`))];
  return pieces.map(({ text }) => jsonObject(text)).filter((object) => object !== undefined);
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** The object in a text; undefined when the text is not JSON or holds another kind of value. */
export function jsonObject(text: string): JsonObject | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isJsonObject(value) ? value : undefined;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of a member; undefined when it is missing, empty or not a string. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * A reader of logs in which every record is one JSON object that stands by itself. Blank lines are not records. Text that
 * is not a JSON object is refused.
 * @param read takes the number of the record's first line, its text and its object
 */
export function jsonRecordReader(
  read: (line: number, text: string, record: JsonObject) => RecordResult,
): RecordReader {
  return {
    read: (line) => {
      if (line.fault !== undefined) return refused(line.number, line.fault);
      const text = line.text.trim();
      if (text === '') return undefined;
      const record = jsonObject(text);
      return record === undefined ? refused(line.number, 'INVALID_JSON') : read(line.number, text, record);
    },
    end: () => undefined,
  };
}
