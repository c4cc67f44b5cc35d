// Suricata's EVE log: JSON lines, or one array as exports have it. A record is an event. Alerts and requests of
// control protocols show threats. Other events record traffic.

import type { Protocol } from '../../domain/vocabulary.ts';
import { type Evidence, evidenceOf } from '../evidence.ts';
import {
  isJsonObject,
  type JsonObject,
  jsonRecordReader,
  jsonRecords,
  sampleObjects,
  textOf,
} from '../framing/json-records.ts';
import { HomeNet } from '../home-net.ts';
import { peer, type Shown } from '../observables.ts';
import {
  eventsOf,
  type ReaderOptions,
  type RecordResult,
  type RefusalReason,
  refused,
  type SensorFormat,
  withoutObservable,
} from '../reader.ts';
import { eventsIn, recordTime, sensorName } from '../sensor-record.ts';
import { servedOn } from '../service-port.ts';
import { alertFindings } from './alert.ts';

const PROTOCOLS: ReadonlyMap<unknown, Protocol> = new Map([
  ['http', 'HTTP'],
  ['http2', 'HTTP'],
  ['ssh', 'SSH'],
  ['ftp', 'FTP'],
  ['ftp-data', 'FTP'],
  ['telnet', 'TELNET'],
  ['snmp', 'SNMP'],
  ['modbus', 'MODBUS'],
  ['dnp3', 'DNP3'],
]);

export const suricata: SensorFormat = {
  name: 'suricata',
  frame: jsonRecords,
  recognise: (sample) => sampleObjects(sample).filter(isEve).length,
  createReader: (options) => {
    const reader = new SuricataReader(options);
    return jsonRecordReader((line, text, record) =>
      isEve(record) ? reader.record(line, text, record) : refused(line, 'NOT_AN_EVE_RECORD'),
    );
  },
};

function isEve(record: JsonObject): boolean {
  if (typeof record.event_type !== 'string' || typeof record.timestamp !== 'string') return false;
  return 'flow_id' in record || 'dest_ip' in record || 'stats' in record;
}

class SuricataReader {
  readonly #sensor: string | undefined;
  readonly #home: HomeNet;

  constructor(options: ReaderOptions) {
    this.#sensor = options.sensor;
    this.#home = new HomeNet(options.homeNet);
  }

  record(line: number, text: string, record: JsonObject): RecordResult {
    const observedAt = recordTime(textOf(record.timestamp) ?? '');
    if (observedAt === undefined) return refused(line, 'INVALID_TIMESTAMP');
    const request = requestIn(record);
    const found = request === undefined ? this.#findings(record) : this.#requester(record, request);
    if (found === undefined) return withoutObservable(line, textOf(record.event_type));
    if (typeof found === 'string') return refused(line, found);
    const events = eventsIn(
      {
        text,
        sensorId: sensorName(textOf(record.host), this.#sensor, 'suricata'),
        sensorType: request === undefined ? 'NETWORK' : 'ICS',
        observedAt,
        protocol: PROTOCOLS.get(record.app_proto ?? record.event_type) ?? portProtocol(record),
      },
      found,
    );
    return events.length === 0
      ? withoutObservable(line, textOf(record.event_type))
      : eventsOf(line, ...events);
  }

  #findings(record: JsonObject): readonly Shown[] | RefusalReason | undefined {
    return record.event_type === 'alert' ? alertFindings(record, this.#home) : undefined;
  }

  /** The client of a control protocol. A request has the addresses of its flow. */
  #requester(record: JsonObject, evidence: Evidence): readonly Shown[] | RefusalReason {
    const address = textOf(record.src_ip);
    if (address === undefined) return 'MISSING_ADDRESS';
    if (this.#home.isOwn(address)) return 'SENSOR_ADDRESS';
    const port = typeof record.dest_port === 'number' ? { 'destination.port': String(record.dest_port) } : {};
    const client = peer(address, { ...evidence, ...port });
    return client === undefined ? 'INVALID_ADDRESS' : [client];
  }
}

function portProtocol({ src_port, dest_port }: JsonObject): Protocol {
  const ports = [src_port, dest_port].filter((port) => typeof port === 'number');
  return ports.length === 0 ? 'UNSPECIFIED' : servedOn(Math.min(...ports));
}

/** The request in a record of a Modbus or DNP3 transaction; undefined for answers and other records. */
function requestIn({ event_type, modbus, dnp3 }: JsonObject): Evidence | undefined {
  if (event_type === 'modbus' && isJsonObject(modbus)) return modbusRequest(modbus.request);
  if (event_type !== 'dnp3' || !isJsonObject(dnp3)) return undefined;
  const asked = isJsonObject(dnp3.request) ? dnp3.request : dnp3.type === 'request' ? dnp3 : {};
  const application = isJsonObject(asked.application) ? asked.application : {};
  return found({ 'dnp3.function_code': numberIn(application.function_code) });
}

function modbusRequest(request: unknown): Evidence | undefined {
  if (!isJsonObject(request)) return undefined;
  const raw = (value: unknown): string | undefined => (isJsonObject(value) ? numberIn(value.raw) : undefined);
  return found({
    'modbus.function_code': numberIn(request.function_raw),
    'modbus.mei_type': raw(request.mei),
    'modbus.diagnostic_subfunction': raw(request.diagnostic),
  });
}

function numberIn(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : undefined;
}

function found(entries: Parameters<typeof evidenceOf>[0]): Evidence | undefined {
  const evidence = evidenceOf(entries);
  return Object.keys(evidence).length === 0 ? undefined : evidence;
}
