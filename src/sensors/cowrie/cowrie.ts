// The JSON log of Cowrie, an SSH and Telnet honeypot. Each line is one event of a session, with the fields of 2018 to
// 2026. Blank lines are not records.

import type { Protocol } from '../../domain/vocabulary.ts';
import type { Evidence } from '../evidence.ts';
import {
  type JsonObject,
  jsonRecordReader,
  jsonRecords,
  sampleObjects,
  textOf,
} from '../framing/json-records.ts';
import { OwnAddresses } from '../home-net.ts';
import { peer, shownBy } from '../observables.ts';
import {
  eventsOf,
  type ReaderOptions,
  type RecordResult,
  refused,
  type SensorFormat,
  withoutObservable,
} from '../reader.ts';
import { RecentMap } from '../recent-map.ts';
import { eventsIn, recordTime, sensorName } from '../sensor-record.ts';
import { cowrieActs } from './acts.ts';
import { lastAct, noteClient, toldOf } from './client-details.ts';

const PREFIX = 'cowrie.';
const MAX_SESSIONS = 65_536;
const MAX_PEERS = 65_536;

const PROTOCOLS: ReadonlyMap<unknown, Protocol> = new Map([
  ['ssh', 'SSH'],
  ['telnet', 'TELNET'],
]);

export const cowrie: SensorFormat = {
  name: 'cowrie',
  frame: jsonRecords,
  recognise: (sample) => sampleObjects(sample).filter(isCowrie).length,
  createReader: (options) => {
    const reader = new CowrieReader(options);
    return jsonRecordReader((line, text, record) =>
      isCowrie(record) ? reader.record(line, text, record) : refused(line, 'NOT_A_COWRIE_RECORD'),
    );
  },
};

function isCowrie(record: JsonObject): boolean {
  return textOf(record.eventid)?.startsWith(PREFIX) ?? false;
}

/** What the event that opened a session said. Later events may leave it out. */
interface Session {
  readonly address: string;
  readonly protocol: Protocol;
  /** What the client told of itself, until an event has it. */
  client: Evidence;
}

class CowrieReader {
  readonly #sensor: string | undefined;
  readonly #own = new OwnAddresses();
  readonly #sessions = new RecentMap<string, Session>(MAX_SESSIONS);
  /** Failed logins of each peer. */
  readonly #tries = new RecentMap<string, number>(MAX_PEERS);

  constructor(options: ReaderOptions) {
    this.#sensor = options.sensor;
  }

  record(line: number, text: string, record: JsonObject): RecordResult {
    const event = textOf(record.eventid)?.slice(PREFIX.length) ?? '';
    const session = this.#session(event, record);
    const observedAt = recordTime(textOf(record.timestamp) ?? '');
    if (observedAt === undefined) return refused(line, 'INVALID_TIMESTAMP');

    const address = session?.address ?? textOf(record.src_ip);
    if (session !== undefined) noteClient(session, event, record);
    const acts =
      cowrieActs(event, record, event === 'login.failed' ? this.#try(address) : 0) ??
      (event === 'session.closed' ? lastAct(session) : undefined);
    if (acts === undefined) return withoutObservable(line, event);
    if (address === undefined) return refused(line, 'MISSING_ADDRESS');
    if (this.#own.has(address)) return refused(line, 'SENSOR_ADDRESS');
    const attacker = peer(address, { ...acts.evidence, ...toldOf(session) });
    if (attacker === undefined) return refused(line, 'INVALID_ADDRESS');

    const common = {
      text,
      sensorId: sensorName(textOf(record.sensor), this.#sensor, 'cowrie'),
      sensorType: 'NETWORK',
      observedAt,
      protocol: protocolOf(event, record, session),
    } as const;
    return eventsOf(
      line,
      ...eventsIn(common, [attacker, ...shownBy(acts.shown, address, textOf(record.session))]),
    );
  }

  /** The session of a record. The record that opens a session adds it. */
  #session(event: string, record: JsonObject): Session | undefined {
    const id = textOf(record.session);
    const address = textOf(record.src_ip);
    if (event !== 'session.connect') return id === undefined ? undefined : this.#sessions.get(id);
    // In other events dst_ip is the target of the attacker.
    const own = textOf(record.dst_ip);
    if (own !== undefined) this.#own.add(own);
    if (address === undefined) return undefined;
    const session = { address, protocol: PROTOCOLS.get(record.protocol) ?? 'UNSPECIFIED', client: {} };
    if (id !== undefined) this.#sessions.set(id, session);
    return session;
  }

  #try(address: string | undefined): number {
    if (address === undefined) return 1;
    const tries = (this.#tries.get(address) ?? 0) + 1;
    this.#tries.set(address, tries);
    return tries;
  }
}

function protocolOf(event: string, record: JsonObject, session: Session | undefined): Protocol {
  // Only SSH forwards connections.
  const implied = event.startsWith('direct-tcpip.') ? 'SSH' : 'UNSPECIFIED';
  return PROTOCOLS.get(record.protocol) ?? session?.protocol ?? implied;
}
