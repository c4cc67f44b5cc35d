// The format `sensor-events`: JSON lines, each a `SensorEvent` of the REST contract. The decoder of the REST
// interface reads every line, so a file and a request obey one rule. A file differs in three points. A bad line is
// refused alone. A line without an event id gets one from its content. `--sensor` is the sensor of lines that name
// none.

import { ServiceError } from '../domain/errors.ts';
import type { SensorEvent } from '../domain/indicator/sensor-event.ts';
import { createSensorEventDecoder } from '../protojson/sensor-event.ts';
import { EMPTY, REPEATED, REQUIRED, UNKNOWN } from '../protojson/violations.ts';
import { type JsonObject, jsonObject } from './framing/json-records.ts';
import { splitUtf8Lines } from './framing/lines.ts';
import {
  eventsOf,
  type Line,
  type ReaderOptions,
  type RecordReader,
  type RecordResult,
  type RefusalReason,
  refused,
  type SensorFormat,
} from './reader.ts';
import { contentId } from './sensor-record.ts';

/** The reason by the field at fault. A field without an entry does not compile. */
const INVALID: Readonly<Record<keyof SensorEvent, RefusalReason>> = {
  eventId: 'INVALID_EVENT_ID',
  sensorId: 'INVALID_SENSOR_ID',
  sensorType: 'INVALID_SENSOR_TYPE',
  protocol: 'INVALID_PROTOCOL',
  indicatorType: 'INVALID_INDICATOR_TYPE',
  value: 'INVALID_VALUE',
  observedAt: 'INVALID_OBSERVED_AT',
  count: 'INVALID_COUNT',
  source: 'INVALID_SOURCE',
  categories: 'INVALID_CATEGORIES',
  severity: 'INVALID_SEVERITY',
  tags: 'INVALID_TAGS',
  labels: 'INVALID_LABELS',
  tlp: 'INVALID_TLP',
  evidence: 'INVALID_EVIDENCE',
};

/** The reason when a required field is missing or empty. */
const MISSING: ReadonlyMap<string, RefusalReason> = new Map([
  ['sensorId', 'MISSING_SENSOR_ID'],
  ['value', 'MISSING_VALUE'],
  ['observedAt', 'MISSING_OBSERVED_AT'],
]);

export const sensorEventLines: SensorFormat = {
  name: 'sensor-events',
  frame: splitUtf8Lines,
  recognise: (sample) => sample.filter((line) => isSensorEvent(jsonObject(line))).length,
  createReader: (options) => new SensorEventReader(options),
};

function isSensorEvent(record: JsonObject | undefined): boolean {
  return record !== undefined && 'value' in record && ('observedAt' in record || 'observed_at' in record);
}

/** A record is a line. Blank lines are not records. Every record has an observable or is refused. */
class SensorEventReader implements RecordReader {
  readonly #sensor: string;
  readonly #decode: (json: string) => SensorEvent;

  constructor({ sensor = '' }: ReaderOptions) {
    this.#sensor = sensor;
    this.#decode = createSensorEventDecoder(sensor === '' ? ['event_id'] : ['event_id', 'sensor_id']);
  }

  read(line: Line): RecordResult | undefined {
    if (line.fault !== undefined) return refused(line.number, line.fault);
    if (/^[ \t\r]*$/.test(line.text)) return undefined;
    try {
      const event = this.#decode(line.text);
      return eventsOf(line.number, this.#completed(event, line.text));
    } catch (error) {
      if (error instanceof ServiceError) return refusedBy(error, line.number);
      throw error;
    }
  }

  end(): undefined {
    return undefined;
  }

  #completed(event: SensorEvent, text: string): SensorEvent {
    if (event.eventId !== '' && event.sensorId !== '') return event;
    return {
      ...event,
      eventId: event.eventId || contentId(text.trim()),
      sensorId: event.sensorId || this.#sensor,
    };
  }
}

/** The first violation decides the reason. */
function refusedBy({ details }: ServiceError, line: number): RecordResult {
  const [{ field, description } = { field: 'body', description: '' }] = details.violations ?? [];
  const [name = ''] = /^\w+/.exec(field) ?? [];
  // The path stops before a key of the evidence map and before an odd name. An attacker may have chosen it, and the
  // detail goes to a terminal.
  const [path] = field.split('["');
  const detail = path === '' ? description : `${path}: ${description}`;
  if (description.startsWith(UNKNOWN)) return refused(line, 'UNKNOWN_FIELD', detail);
  if (!isEventField(name)) return refused(line, 'INVALID_JSON', description);
  if (description === REPEATED) return refused(line, 'DUPLICATE_FIELD', detail);
  const missing = description === REQUIRED || description === EMPTY ? MISSING.get(name) : undefined;
  return refused(line, missing ?? INVALID[name], detail);
}

function isEventField(name: string): name is keyof SensorEvent {
  return Object.hasOwn(INVALID, name);
}
