// Zeek's logs as JSON: an object per line, as Zeek and the shippers behind it write them, or one array of rows, as
// HoneyICS and other exports have them. A record is an object; blank lines are none.

import { type JsonObject, jsonObject } from '../framing/json-record.ts';
import { jsonRecords, sampleObjects } from '../framing/json-records.ts';
import {
  type Line,
  type ReaderOptions,
  type RecordReader,
  type RecordResult,
  refused,
  type SensorFormat,
} from '../reader.ts';
import { ZeekRecords } from './record.ts';
import { JsonRow } from './row.ts';

/** One of these is in every row that has a time; other loggers write `ts`, too. */
const FAMILIAR_MEMBERS: readonly string[] = [
  ...['uid', 'uids', 'fuid', 'id.orig_h', 'id_orig_h', '_path', '@stream'],
  ...['peer', 'node', 'certificate.version', 'certificate_version', 'ts_delta', 'seen.indicator'],
];

export const zeekJson: SensorFormat = {
  name: 'zeek-json',
  frame: jsonRecords,
  recognise: (sample) => sampleObjects(sample).filter(isZeek).length,
  createReader: (options) => new ZeekJsonReader(options),
};

function isZeek(record: JsonObject): boolean {
  if ('ts' in record) return FAMILIAR_MEMBERS.some((member) => member in record);
  // The log of loaded scripts has no time.
  return typeof record.name === 'string' && /\.(?:zeek|bro)$/.test(record.name);
}

class ZeekJsonReader implements RecordReader {
  readonly #records: ZeekRecords;

  constructor(options: ReaderOptions) {
    this.#records = new ZeekRecords(options);
  }

  read(line: Line): RecordResult | undefined {
    if (line.fault !== undefined) return refused(line.number, line.fault);
    const text = line.text.trim();
    if (text === '') return undefined;
    const record = jsonObject(text);
    if (record === undefined) return refused(line.number, 'INVALID_JSON');
    return this.#records.result(line.number, new JsonRow(text, record));
  }

  end(): undefined {
    return undefined;
  }
}
