// What a row of a Zeek log gives away, before it is an event.

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
  /** Names the protocol where the vocabulary of the contract has no word for it. */
  readonly labels?: readonly Label[];
  /** Who acted, and how. */
  readonly peer?: {
    readonly address: string | undefined;
    readonly evidence: Evidence;
    readonly count?: bigint;
  };
  /** Observables besides the peer. */
  readonly shown?: readonly Shown[];
}

const MAX_PEERS = 65_536;

/** What is remembered over the rows of one input. */
export interface ZeekContext {
  readonly home: HomeNet;
  /** Connections of each peer that came to nothing, so far. */
  readonly probes: RecentMap<string, number>;
  /** Failed logins of each peer, so far. */
  readonly tries: RecentMap<string, number>;
}

export function zeekContext(home: HomeNet): ZeekContext {
  return { home, probes: new RecentMap(MAX_PEERS), tries: new RecentMap(MAX_PEERS) };
}

/** Undefined when there is nothing to report. */
export type ZeekLogReader = (row: ZeekRow, context: ZeekContext) => ZeekFinding | undefined;

/** Adds to what a peer did so far; answers the sum. */
export function increased(counts: RecentMap<string, number>, peer: string, by: number): number {
  const sum = (counts.get(peer) ?? 0) + by;
  counts.set(peer, sum);
  return sum;
}

/** A count in a row; 0 when it is unset or none. */
export function countIn(row: ZeekRow, column: string): number {
  const text = row.get(column);
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
