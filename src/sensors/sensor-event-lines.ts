// JSON lines, each a `SensorEvent` in the shape of the REST contract, for sensors that speak our own language.
// Written apart from the contract's decoder: a file is taken line by line, and a bad line is refused alone.

import type { Label } from '../domain/indicator/indicator.ts';
import type { EventSource, SensorEvent } from '../domain/indicator/sensor-event.ts';
import {
  INDICATOR_TYPES,
  PROTOCOLS,
  SENSOR_TYPES,
  SEVERITIES,
  THREAT_CATEGORIES,
  TLP_MARKINGS,
} from '../domain/vocabulary.ts';
import { contentId } from './content-id.ts';
import { isJsonObject, type JsonObject, jsonObject } from './framing/json-record.ts';
import { splitLines } from './framing/lines.ts';
import {
  eventsOf,
  type Line,
  type ReaderOptions,
  type RecordReader,
  type RecordResult,
  refused,
  type SensorFormat,
} from './reader.ts';
import { recordTime } from './record-time.ts';

const MAX_COUNT = 2n ** 64n - 1n;
const MAX_ITEMS = 50;

const indicatorTypeOf = vocabulary('INDICATOR_TYPE_', INDICATOR_TYPES);
const categoryOf = vocabulary('THREAT_CATEGORY_', THREAT_CATEGORIES);
const severityOf = vocabulary('SEVERITY_', SEVERITIES);
const protocolOf = vocabulary('PROTOCOL_', PROTOCOLS);
const sensorTypeOf = vocabulary('SENSOR_TYPE_', SENSOR_TYPES);
const tlpOf = vocabulary('TLP_MARKING_', TLP_MARKINGS);

export const sensorEventLines: SensorFormat = {
  name: 'sensor-events',
  frame: splitLines,
  recognise: (sample) => sample.filter((line) => isSensorEvent(jsonObject(line))).length,
  createReader: (options) => new SensorEventReader(options),
};

function isSensorEvent(record: JsonObject | undefined): boolean {
  return record !== undefined && 'value' in record && ('observedAt' in record || 'observed_at' in record);
}

/** A record is a line; blank lines are none. Every record has an observable or is refused. */
class SensorEventReader implements RecordReader {
  readonly #sensor: string | undefined;

  constructor(options: ReaderOptions) {
    this.#sensor = options.sensor;
  }

  read(line: Line): RecordResult | undefined {
    if (line.fault !== undefined) return refused(line.number, line.fault);
    const text = line.text.trim();
    if (text === '') return undefined;
    const record = jsonObject(text);
    if (record === undefined) return refused(line.number, 'INVALID_JSON');
    try {
      return eventsOf(line.number, eventOf(record, text, this.#sensor));
    } catch (error) {
      if (error instanceof Refusal) return refused(line.number, error.reason);
      throw error;
    }
  }

  end(): undefined {
    return undefined;
  }
}

/** Unwinds to the record it refuses; never leaves this file. */
class Refusal extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

function eventOf(record: JsonObject, text: string, sensor: string | undefined): SensorEvent {
  const source = sourceIn(member(record, 'source'));
  return {
    eventId: textIn(member(record, 'eventId', 'event_id'), 128, 'INVALID_EVENT_ID') || contentId(text),
    sensorId:
      textIn(member(record, 'sensorId', 'sensor_id'), 128, 'INVALID_SENSOR_ID') ||
      (sensor ?? refuse('MISSING_SENSOR_ID')),
    sensorType: sensorTypeOf(member(record, 'sensorType', 'sensor_type')) ?? refuse('INVALID_SENSOR_TYPE'),
    protocol: protocolOf(member(record, 'protocol')) ?? refuse('INVALID_PROTOCOL'),
    indicatorType:
      indicatorTypeOf(member(record, 'indicatorType', 'indicator_type')) ?? refuse('INVALID_INDICATOR_TYPE'),
    value: textIn(member(record, 'value'), 4096, 'INVALID_VALUE') || refuse('MISSING_VALUE'),
    observedAt: instantIn(member(record, 'observedAt', 'observed_at')),
    count: countIn(member(record, 'count')),
    ...(source === undefined ? {} : { source }),
    categories: listIn(member(record, 'categories'), (item) => categoryOf(item), 'INVALID_CATEGORIES'),
    severity: severityOf(member(record, 'severity')) ?? refuse('INVALID_SEVERITY'),
    tags: listIn(
      member(record, 'tags'),
      (item) => textIn(item, 100, 'INVALID_TAGS') || undefined,
      'INVALID_TAGS',
    ),
    labels: listIn(member(record, 'labels'), labelIn, 'INVALID_LABELS'),
    tlp: tlpOf(member(record, 'tlp')) ?? refuse('INVALID_TLP'),
    evidence: evidenceIn(member(record, 'evidence')),
  };
}

/** A member by either of its spellings; `null` is the same as not being there, as in ProtoJSON. */
function member(record: JsonObject, camelCase: string, snakeCase = camelCase): unknown {
  const value = Object.hasOwn(record, camelCase) ? (record[camelCase] ?? undefined) : undefined;
  if (snakeCase === camelCase || !Object.hasOwn(record, snakeCase)) return value;
  const other = record[snakeCase] ?? undefined;
  if (value !== undefined && other !== undefined) return refuse('DUPLICATE_FIELD');
  return value ?? other;
}

/** Empty when it is missing. */
function textIn(value: unknown, maxLength: number, reason: string): string {
  if (value === undefined) return '';
  const usable =
    typeof value === 'string' && value.length <= maxLength && value.isWellFormed() && !value.includes('\0');
  return usable ? value : refuse(reason);
}

function instantIn(value: unknown): number {
  if (value === undefined) return refuse('MISSING_OBSERVED_AT');
  const instant = typeof value === 'string' ? recordTime(value, 'required') : undefined;
  return instant ?? refuse('INVALID_OBSERVED_AT');
}

/** A whole number or its decimal string, as ProtoJSON takes a uint64. */
function countIn(value: unknown): bigint {
  if (value === undefined) return 0n;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (typeof value === 'string' && /^\d{1,20}$/.test(value) && BigInt(value) <= MAX_COUNT)
    return BigInt(value);
  return refuse('INVALID_COUNT');
}

function sourceIn(value: unknown): EventSource | undefined {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) return refuse('INVALID_SOURCE');
  const id = textIn(member(value, 'id'), 128, 'INVALID_SOURCE') || refuse('INVALID_SOURCE');
  const name = textIn(member(value, 'name'), 256, 'INVALID_SOURCE') || id;
  // 0 leaves it to the credential, as in the contract.
  const reliability = member(value, 'reliability') ?? 0;
  if (typeof reliability !== 'number' || !(reliability >= 0 && reliability <= 1))
    return refuse('INVALID_SOURCE');
  return { id, name, reliability };
}

function listIn<Item>(value: unknown, itemOf: (item: unknown) => Item | undefined, reason: string): Item[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > MAX_ITEMS) return refuse(reason);
  return value.map((item: unknown) => (item === null ? refuse(reason) : (itemOf(item) ?? refuse(reason))));
}

function labelIn(value: unknown): Label {
  if (!isJsonObject(value)) return refuse('INVALID_LABELS');
  return {
    key: textIn(member(value, 'key'), 64, 'INVALID_LABELS') || refuse('INVALID_LABELS'),
    value: textIn(member(value, 'value'), 1024, 'INVALID_LABELS'),
  };
}

function evidenceIn(value: unknown): Record<string, string> {
  if (value === undefined) return {};
  const entries = isJsonObject(value) ? Object.entries(value) : refuse('INVALID_EVIDENCE');
  if (entries.length > MAX_ITEMS) return refuse('INVALID_EVIDENCE');
  for (const [key, text] of entries) {
    if (textIn(key, 64, 'INVALID_EVIDENCE') === '' || typeof text !== 'string')
      return refuse('INVALID_EVIDENCE');
    textIn(text, 1024, 'INVALID_EVIDENCE');
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

function refuse(reason: string): never {
  throw new Refusal(reason);
}

/**
 * Reads a name of a vocabulary with or without its prefix, or its number. UNSPECIFIED, the first of each, when it is missing, undefined
 * when there is no such name: a typo must not pass for a value that was left out.
 */
function vocabulary<Name extends string>(
  prefix: string,
  names: readonly Name[],
): (value: unknown) => Name | undefined {
  const byName = new Map<string, Name>();
  for (const name of names) byName.set(name, name).set(prefix + name, name);
  return (value) => {
    if (value === undefined) return names[0];
    if (typeof value === 'number') return names[value];
    return typeof value === 'string' ? byName.get(value) : undefined;
  };
}
