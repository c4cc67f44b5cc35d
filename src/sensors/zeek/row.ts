// One row of a Zeek log, whether it came as text between tabs or as JSON.

import { isPlaceholder } from '../../domain/evidence/evidence-key.ts';
import type { Instant } from '../../domain/instant.ts';
import type { JsonObject } from '../framing/json-record.ts';
import { recordTime } from '../record-time.ts';

export interface ZeekRow {
  /** The whole record. */
  readonly text: string;
  /** Name of the log (`conn`, `s7comm`), as far as the input tells it. */
  readonly path: string | undefined;
  /** What the row calls its sensor. */
  readonly sensor: string | undefined;
  /** Whether there is such a column, with or without a value. */
  has(column: string): boolean;
  /** The value of a column; undefined when it is missing, unset or empty. Truth values are `T` and `F`. */
  get(column: string): string | undefined;
}

/** Members that name the log or the sensor, by the shippers that add them. */
const PATH_MEMBERS: readonly string[] = ['_path', '@path', '@stream', 'log_type'];
const SENSOR_MEMBERS: readonly string[] = ['_system_name', '@system'];

/** A row as a JSON object. Shippers write `id_orig_h` for Zeek's `id.orig_h`. */
export class JsonRow implements ZeekRow {
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

const EPOCH = /^(\d{1,12})(?:\.(\d{1,9}))?$/;
/** 1990: before its clock is set Zeek writes times near zero. */
const EARLIEST = 631_152_000_000;
/** Above this a whole number counts milliseconds, as Zeek can be told to write them. */
const LATEST_SECONDS = 100_000_000_000;

/** Seconds or milliseconds since 1970, or ISO 8601 (UTC without a zone). Undefined for all else, such as `XXXX.XX`. */
export function zeekTime(text: string): Instant | undefined {
  const parts = EPOCH.exec(text) ?? /^(\d{13})$/.exec(text);
  if (parts === null) return recordTime(text);
  const whole = Number(parts[1]);
  const instant =
    whole > LATEST_SECONDS ? whole : whole * 1_000 + Number((parts[2] ?? '').slice(0, 3).padEnd(3, '0'));
  return instant < EARLIEST ? undefined : instant;
}
