// Conpot's JSON log. Each line is one event of a session, in the older shape (`data_type`, `timestamp`) or the newer
// one (`schema_version`, `protocol`, `event_time`). Blank lines are not records.

import { hexBytes, isCotpConnectionRequest } from '../control-message.ts';
import type { Evidence } from '../evidence.ts';
import {
  isJsonObject,
  type JsonObject,
  jsonObject,
  jsonRecordReader,
  textOf,
} from '../framing/json-records.ts';
import { splitLines } from '../framing/lines.ts';
import { OwnAddresses } from '../home-net.ts';
import {
  type ReaderOptions,
  type RecordResult,
  refused,
  type SensorFormat,
  withoutObservable,
} from '../reader.ts';
import { recordTime } from '../sensor-record.ts';
import { CONNECTION, CONPOT_SENSOR, conpotEvent } from './event.ts';
import { type ConpotProtocol, conpotProtocol } from './protocol.ts';
import { ftpLoginEvidence, MALFORMED, pythonText, requestEvidence } from './request.ts';

/** The contract's limit. */
const MAX_SENSOR_ID = 128;

export const conpotJson: SensorFormat = {
  name: 'conpot-json',
  frame: splitLines,
  recognise: (sample) => sample.filter((line) => isConpot(jsonObject(line))).length,
  createReader: (options) => {
    const reader = new ConpotJsonReader(options);
    return jsonRecordReader((line, text, record) =>
      isConpot(record) ? reader.record(line, text, record) : refused(line, 'NOT_A_CONPOT_RECORD'),
    );
  },
};

function isConpot(record: JsonObject | undefined): boolean {
  if (record === undefined || !('src_ip' in record)) return false;
  return (
    ('data_type' in record && 'timestamp' in record) ||
    ('protocol' in record && 'event_time' in record && 'session_id' in record)
  );
}

class ConpotJsonReader {
  readonly #sensor: string | undefined;
  readonly #own = new OwnAddresses();

  constructor(options: ReaderOptions) {
    this.#sensor = options.sensor;
  }

  record(line: number, text: string, record: JsonObject): RecordResult {
    for (const address of [record.dst_ip, record.public_ip]) {
      if (typeof address === 'string') this.#own.add(address);
    }
    const observedAt = recordTime(textOf(record.event_time) ?? textOf(record.timestamp) ?? '');
    if (observedAt === undefined) return refused(line, 'INVALID_TIMESTAMP');
    const address = textOf(record.src_ip);
    if (address === undefined) return refused(line, 'MISSING_ADDRESS');
    const protocol = conpotProtocol(textOf(record.data_type) ?? textOf(record.protocol) ?? '');
    const evidence = evidenceIn(record, protocol);
    if (evidence === undefined) return withoutObservable(line, textOf(record.event_type));
    const sensorId = textOf(record.sensorid) ?? this.#sensor ?? CONPOT_SENSOR;
    if (sensorId.length > MAX_SENSOR_ID || !sensorId.isWellFormed() || sensorId.includes('\0')) {
      return refused(line, 'INVALID_SENSOR_ID');
    }
    const details = { ...evidence, ...portIn(record) };
    return conpotEvent(
      { line, record: text, sensorId, observedAt, protocol, address, evidence: details },
      this.#own,
    );
  }
}

/** Undefined when the record is not an act of the peer, and for a step of a connection that has an event of its own. */
function evidenceIn(record: JsonObject, protocol: ConpotProtocol): Evidence | undefined {
  const eventType = textOf(record.event_type) ?? '';
  if (eventType === 'NEW_CONNECTION') return CONNECTION;
  if (eventType.startsWith('CONNECTION_') || eventType === 'RESPONSE') return undefined;
  if (eventType === 'MALFORMED' || textOf(record.error) !== undefined) return MALFORMED;

  const request = rawRequest(record) ?? record.request ?? undefined;
  if (request === undefined && typeof record.response === 'string') {
    return protocol.name === 'ftp' ? ftpLoginEvidence(pythonText(record.response)) : undefined;
  }
  if (protocol.name === 's7' && typeof request === 'string') {
    const packet = hexBytes(request);
    if (packet !== undefined && isCotpConnectionRequest(packet)) return undefined;
  }
  const evidence = requestEvidence(protocol, request, eventType);
  if (Object.keys(evidence).length > 0) return evidence;
  // Conpot on Python 3 writes null for a request of bytes. Such a record shows only that a peer asked something.
  return modbusFunction(record, protocol) ?? CONNECTION;
}

function portIn({ dst_port: port }: JsonObject): Evidence {
  return typeof port === 'number' ? { 'destination.port': String(port) } : {};
}

/** The newer log has the function of a Modbus request in a member of its own. */
function modbusFunction(record: JsonObject, protocol: ConpotProtocol): Evidence | undefined {
  const code = isJsonObject(record.data) ? record.data.function_code : undefined;
  return protocol.name === 'modbus' && typeof code === 'number'
    ? { 'modbus.function_code': String(code) }
    : undefined;
}

/** The newer log has the bytes of a DNP3 request in a member of its own. */
function rawRequest(record: JsonObject): string | undefined {
  return isJsonObject(record.data) ? textOf(record.data.request_raw) : undefined;
}
