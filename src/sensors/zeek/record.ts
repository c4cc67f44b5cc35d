// Results of Zeek rows, for the text and the JSON form. docs/sensors.md has a table of what each log yields.

import { HomeNet } from '../home-net.ts';
import { peer, type Shown } from '../observables.ts';
import {
  eventsOf,
  type ReaderOptions,
  type RecordResult,
  type RefusalReason,
  refused,
  withoutObservable,
} from '../reader.ts';
import { eventsIn, sensorName } from '../sensor-record.ts';
import { CONTROL_LOGS } from './control.ts';
import { type ZeekContext, type ZeekFinding, type ZeekLogReader, zeekContext } from './finding.ts';
import { zeekIntel, zeekNotice } from './notice.ts';
import { type ZeekRow, zeekLog, zeekTime } from './row.ts';
import { zeekConn, zeekHttp, zeekSnmp, zeekSsh } from './traffic.ts';

/** The logs that are read. All others (dns, ssl, x509, files, ...) record traffic that is not a threat by itself. */
const LOGS: ReadonlyMap<string, ZeekLogReader> = new Map<string, ZeekLogReader>([
  ['conn', zeekConn],
  ['notice', zeekNotice],
  ['intel', zeekIntel],
  ['http', zeekHttp],
  ['ssh', zeekSsh],
  ['snmp', zeekSnmp],
  ...CONTROL_LOGS,
]);

export class ZeekRecords {
  readonly #sensor: string | undefined;
  readonly #context: ZeekContext;

  constructor(options: ReaderOptions) {
    this.#sensor = options.sensor;
    this.#context = zeekContext(new HomeNet(options.homeNet));
  }

  result(line: number, row: ZeekRow): RecordResult {
    const time = row.get('ts');
    const observedAt = time === undefined ? undefined : zeekTime(time);
    if (time !== undefined && observedAt === undefined) return refused(line, 'INVALID_TIMESTAMP');

    const finding = LOGS.get(zeekLog(row) ?? '')?.(row, this.#context);
    if (finding === undefined) return withoutObservable(line, zeekLog(row));
    if (observedAt === undefined) return refused(line, 'MISSING_TIMESTAMP');
    const shown = this.#shown(finding);
    if (typeof shown === 'string') return refused(line, shown);
    const events = eventsIn(
      {
        text: row.text,
        sensorId: sensorName(row.sensor, this.#sensor, 'zeek'),
        sensorType: finding.sensorType,
        observedAt,
        protocol: finding.protocol,
        labels: finding.labels ?? [],
      },
      shown,
    );
    return events.length === 0 ? withoutObservable(line, zeekLog(row)) : eventsOf(line, ...events);
  }

  /** The observables of a finding, or the reason why its peer cannot be one. */
  #shown({ peer: acting, shown = [] }: ZeekFinding): readonly Shown[] | RefusalReason {
    const { home } = this.#context;
    const others = shown.filter(({ value }) => !home.isOwn(value));
    if (acting === undefined) return others;
    const { address, evidence, count = 1n } = acting;
    if (address === undefined) return 'MISSING_ADDRESS';
    if (home.isOwn(address)) return 'SENSOR_ADDRESS';
    const attacker = peer(address, evidence);
    return attacker === undefined ? 'INVALID_ADDRESS' : [{ ...attacker, count }, ...others];
  }
}
