// A finding in a row of a Zeek log, before it becomes events.

import type { Label } from '../../domain/indicator/indicator.ts';
import type { Protocol, SensorType } from '../../domain/vocabulary.ts';
import type { Evidence } from '../evidence.ts';
import type { HomeNet } from '../home-net.ts';
import type { Shown } from '../observables.ts';
import { RecentMap } from '../recent-map.ts';
import type { ZeekRow } from './row.ts';

export interface ZeekFinding {
  readonly sensorType: SensorType;
  readonly protocol: Protocol;
  /** The name of the protocol, when the vocabulary of the contract has no entry for it. */
  readonly labels?: readonly Label[];
  /** The peer that acted. */
  readonly peer?: {
    readonly address: string | undefined;
    readonly evidence: Evidence;
    readonly count?: bigint;
  };
  /** Observables other than the peer. */
  readonly shown?: readonly Shown[];
}

const MAX_PEERS = 65_536;

/** State over the rows of one input. */
export interface ZeekContext {
  readonly home: HomeNet;
  /** Unanswered connections of each peer. */
  readonly probes: RecentMap<string, number>;
  /** Failed logins of each peer. */
  readonly tries: RecentMap<string, number>;
}

export function zeekContext(home: HomeNet): ZeekContext {
  return { home, probes: new RecentMap(MAX_PEERS), tries: new RecentMap(MAX_PEERS) };
}

/** Undefined when there is nothing to report. */
export type ZeekLogReader = (row: ZeekRow, context: ZeekContext) => ZeekFinding | undefined;

/** Adds to the count of a peer and returns the sum. */
export function increased(counts: RecentMap<string, number>, peer: string, by: number): number {
  const sum = (counts.get(peer) ?? 0) + by;
  counts.set(peer, sum);
  return sum;
}

/** The port that the peer addressed. */
export function responderPort(row: ZeekRow): Evidence {
  const port = countIn(row, 'id.resp_p');
  return port === 0 ? {} : { 'destination.port': String(port) };
}

/** A count in a row; 0 when it is unset or not a number. */
export function countIn(row: ZeekRow, column: string): number {
  const text = row.get(column);
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
