// Stories of events for tests: each goes the whole way from validation to enrichment.

import assert from 'node:assert/strict';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import { mergeObservation } from '../domain/indicator/merge.ts';
import { CONTEXT, EVENT, NOON } from '../domain/indicator/observation.test-support.ts';
import type { SensorEvent } from '../domain/indicator/sensor-event.ts';
import { DAY } from '../domain/instant.ts';
import { BUILT_IN_LISTS } from '../domain/warning-list/built-in-lists.ts';
import { createWarningListIndex } from '../domain/warning-list/warning-list-index.ts';
import { enrich } from './enrich.ts';
import type { Enricher } from './enricher.ts';
import { LOCAL_ENRICHERS } from './enrichers/enricher.test-support.ts';
import { warningLists } from './enrichers/warning-lists.ts';
import { observe } from './observe.ts';
import type { Reporter } from './reporter.ts';
import { score } from './score.ts';

const OPTIONS = {
  acceptPrivateAddresses: false,
  defaultTlp: 'GREEN',
  minPrefixIpv4: 16,
  minPrefixIpv6: 32,
} as const;
const LISTS = warningLists(createWarningListIndex(BUILT_IN_LISTS));

export function reporterOf(id: string, reliability: number, group = id): Reporter {
  return {
    account: 'default',
    id,
    group,
    source: { id, name: id, reliability },
    title: id,
    sources: [],
    ceiling: 'AMBER_STRICT',
  };
}

export const SENSOR = reporterOf('sensor', 0.9);
export const LIST = reporterOf('list', 0.5);

export type Told = readonly [reporter: Reporter, event: Partial<SensorEvent>];

/** @param further run before the enrichers that need no data. */
export async function outcomeOf(
  story: readonly Told[],
  further: readonly Enricher[] = [],
): Promise<IndicatorRecord> {
  let record: IndicatorRecord | undefined;
  for (const [reporter, event] of story) {
    const observed = observe({ ...EVENT, ...event }, reporter, NOON + 60 * DAY, OPTIONS, () => false);
    assert.ok(observed.ok, observed.ok ? '' : observed.reason);
    record = mergeObservation(record, observed.observation, CONTEXT);
  }
  assert.ok(record);
  const enriched = await enrich(score(record, NOON), [LISTS, ...further, ...LOCAL_ENRICHERS], {
    at: NOON,
    timeoutMs: 1_000,
  });
  return enriched.record;
}

export const SSH = { sensorType: 'NETWORK', protocol: 'SSH' } as const;
export const FAILED = { ...SSH, evidence: { 'login.result': 'failed' } };
export const daily = (days: number, event: Partial<SensorEvent>): Told[] =>
  Array.from({ length: days }, (_, day): Told => [SENSOR, { ...event, observedAt: NOON + day * DAY }]);
export const listed = (reporter: Reporter, value: string, categories: SensorEvent['categories']): Told => [
  reporter,
  { value, sensorId: '', sensorType: 'UNSPECIFIED', protocol: 'UNSPECIFIED', categories },
];
