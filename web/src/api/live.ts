// Live figures, and the feed: its collections and consumers.

import { call } from './client.ts';
import { openEventStream } from './event-stream.ts';

export interface LiveMinute {
  readonly start: string;
  /** Short names, such as MODBUS and write. */
  readonly protocol: string;
  readonly intent: string;
  readonly events: number;
}

export interface LiveSensor {
  readonly account: string;
  readonly title: string;
  readonly sensor: string;
  readonly sensorType: string;
  readonly lastEventTime: string;
  readonly eventsPerMinute: number;
}

export interface LiveFigures {
  readonly at: string;
  readonly minutes: readonly LiveMinute[];
  readonly sensors: readonly LiveSensor[];
  readonly moreSensors: boolean;
  readonly origins: readonly { readonly country: string; readonly indicators: number }[];
  readonly originsAtLeast: boolean;
  /** A number above 10,000 is missing. */
  readonly backlog: Readonly<Partial<Record<'RAW' | 'SCORED' | 'ENRICHED', number>>>;
  /** For administrators who may see everything. */
  readonly queue?: { readonly pending: number; readonly dead: number; readonly oldestQueueTime?: string };
}

/** @returns a function that ends the stream. */
export function watchFigures(onFigures: (figures: LiveFigures) => void, onLost: () => void): () => void {
  return openEventStream('/app/data/live:watch', new URLSearchParams(), {
    events: { figures: (data) => onFigures(data as LiveFigures) },
    onLost,
  });
}

export interface Collection {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly alias?: string;
  readonly writable: boolean;
}

export interface Consumer {
  readonly account: string;
  readonly credential: string;
  readonly name: string;
  readonly isRevoked: boolean;
  readonly collection: string;
  /** Left out: it has read nothing. */
  readonly position?: string;
  readonly lagSeconds: number;
  readonly pollTime: string;
  readonly polls: number;
  readonly agent: string;
  readonly mistakes: readonly {
    readonly mistake: string;
    readonly count: number;
    readonly lastTime: string;
  }[];
}

export function listCollections() {
  return call<{ readonly collections: readonly Collection[] }>('/app/data/collections');
}

export function listConsumers() {
  return call<{ readonly consumers: readonly Consumer[]; readonly complete: boolean }>('/app/data/consumers');
}
