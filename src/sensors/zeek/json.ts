// Zeek's logs as JSON: an object per line, as Zeek and log shippers write them, or one array of rows, as HoneyICS and
// other exports have them. A record is an object. Blank lines are not records.

import { isPlaceholder } from '../../domain/evidence/evidence-key.ts';
import { type JsonObject, jsonRecordReader, jsonRecords, sampleObjects } from '../framing/json-records.ts';
import type { SensorFormat } from '../reader.ts';
import { ZeekRecords } from './record.ts';
import type { ZeekRow } from './row.ts';

/** Every row with a time has one of these members. Other programs write `ts` too. */
const FAMILIAR_MEMBERS: readonly string[] = [
  ...['uid', 'uids', 'fuid', 'id.orig_h', 'id_orig_h', '_path', '@stream'],
  ...['peer', 'node', 'certificate.version', 'certificate_version', 'ts_delta', 'seen.indicator'],
];

export const zeekJson: SensorFormat = {
  name: 'zeek-json',
  frame: jsonRecords,
  recognise: (sample) => sampleObjects(sample).filter(isZeek).length,
  createReader: (options) => {
    const records = new ZeekRecords(options);
    return jsonRecordReader((line, text, record) => records.result(line, new JsonRow(text, record)));
  },
};

function isZeek(record: JsonObject): boolean {
  if ('ts' in record) return FAMILIAR_MEMBERS.some((member) => member in record);
  // The log of loaded scripts has no time.
  return typeof record.name === 'string' && /\.(?:zeek|bro)$/.test(record.name);
}

/** Members in which log shippers put the name of the log and of the sensor. */
const PATH_MEMBERS: readonly string[] = ['_path', '@path', '@stream', 'log_type'];
const SENSOR_MEMBERS: readonly string[] = ['_system_name', '@system'];

/** A row as a JSON object. Log shippers write `id_orig_h` for `id.orig_h`. */
class JsonRow implements ZeekRow {
  readonly text: string;
  readonly #record: JsonObject;

  constructor(text: string, record: JsonObject) {
    this.text = text;
    this.#record = record;
  }

  get path(): string | undefined {
    return this.#first(PATH_MEMBERS);
  }

  get sensor(): string | undefined {
    return this.#first(SENSOR_MEMBERS);
  }

  has(column: string): boolean {
    return this.#value(column) !== undefined;
  }

  get(column: string): string | undefined {
    const value = this.#value(column);
    switch (typeof value) {
      case 'string':
        return isPlaceholder(value) ? undefined : value;
      case 'number':
        return String(value);
      case 'boolean':
        return value ? 'T' : 'F';
      default:
        return undefined;
    }
  }

  #value(column: string): unknown {
    return this.#record[column] ?? this.#record[column.replaceAll('.', '_')] ?? undefined;
  }

  #first(members: readonly string[]): string | undefined {
    for (const member of members) {
      const value = this.get(member);
      if (value !== undefined) return value;
    }
    return undefined;
  }
}
