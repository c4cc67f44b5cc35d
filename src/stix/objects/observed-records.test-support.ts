// Records built from one observation after another, for tests of what is published about them.

import type { Enrichment, IndicatorRecord } from '../../domain/indicator/indicator.ts';
import { mergeObservation } from '../../domain/indicator/merge.ts';
import type { Observation } from '../../domain/indicator/sensor-event.ts';
import type { Instant } from '../../domain/instant.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import type { FeedAppend, FeedChange } from '../../store/feed.ts';

export const INSTALLATION = { secret: Buffer.alloc(32, 7), createdAt: Date.UTC(2026, 0, 1) };
export const START = Date.UTC(2026, 1, 1, 12);

const NOTHING_KNOWN: Enrichment = {
  malwareFamilies: [],
  attackTechniques: [],
  aiSummary: 'ObservedPart.',
  enrichedAt: START,
};

export interface ObservedPart {
  readonly value?: string;
  readonly at?: Instant;
  readonly count?: number;
  readonly source?: string;
  readonly tlp?: TlpMarking;
  readonly tags?: readonly string[];
}

/** Adds an observation to a record, at the time of the observation. */
export function withObservation(record: IndicatorRecord | undefined, seen: ObservedPart): IndicatorRecord {
  const { value = '192.0.2.1', at = START, count = 1, source = 's1', tlp = 'GREEN', tags = [] } = seen;
  const observation: Observation = {
    type: 'IPV4',
    value,
    observedAt: at,
    count: BigInt(count),
    source: { id: source, name: `Source ${source}`, reliability: 0.7 },
    group: source,
    sensorId: 'sensor',
    sensorType: 'ICS',
    protocol: 'MODBUS',
    categories: [],
    severity: 'LOW',
    tags,
    labels: [],
    tlp,
    behaviours: [],
    intent: 'read',
    quality: 0.5,
    seen: [],
  };
  const id = `6f1a3b52-90c4-4e0b-8a54-0d6d7d3b9c${value.slice(-1).padStart(2, '0')}`;
  return mergeObservation(record, observation, { id, now: at, createdAt: START });
}

export function enriched(record: IndicatorRecord, found: Partial<Enrichment> = {}): IndicatorRecord {
  const { indicator } = record;
  return {
    ...record,
    indicator: { ...indicator, state: 'ENRICHED', enrichment: { ...NOTHING_KNOWN, ...found } },
  };
}

/** The changes that are versions. A raised marking is not one. */
export function entriesOf(changes: readonly FeedChange[]): FeedAppend[] {
  return changes.filter((change) => 'version' in change);
}
