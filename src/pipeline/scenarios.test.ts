// What an analyst expects of confidence, severity, categories and lifetime, and what comes out. Each row is a story of
// events, from validation to enrichment.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import { mergeObservation } from '../domain/indicator/merge.ts';
import { CONTEXT, EVENT, NOON } from '../domain/indicator/observation.test-support.ts';
import type { SensorEvent } from '../domain/indicator/sensor-event.ts';
import { DAY } from '../domain/instant.ts';
import { BUILT_IN_LISTS } from '../domain/warning-list/built-in-lists.ts';
import { createWarningListIndex } from '../domain/warning-list/warning-list-index.ts';
import { enrich } from './enrich.ts';
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
const ENRICHERS = [warningLists(createWarningListIndex(BUILT_IN_LISTS)), ...LOCAL_ENRICHERS];

function reporterOf(id: string, reliability: number, group = id): Reporter {
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

const SENSOR = reporterOf('sensor', 0.9);
const LIST = reporterOf('list', 0.5);

type Told = readonly [reporter: Reporter, event: Partial<SensorEvent>];

async function outcomeOf(story: readonly Told[]): Promise<IndicatorRecord> {
  let record: IndicatorRecord | undefined;
  for (const [reporter, event] of story) {
    const observed = observe({ ...EVENT, ...event }, reporter, NOON + 60 * DAY, OPTIONS, () => false);
    assert.ok(observed.ok, observed.ok ? '' : observed.reason);
    record = mergeObservation(record, observed.observation, CONTEXT);
  }
  assert.ok(record);
  const enriched = await enrich(score(record, NOON), ENRICHERS, { at: NOON, timeoutMs: 1_000 });
  return enriched.record;
}

const SSH = { sensorType: 'NETWORK', protocol: 'SSH' } as const;
const FAILED = { ...SSH, evidence: { 'login.result': 'failed' } };
const daily = (days: number, event: Partial<SensorEvent>): Told[] =>
  Array.from({ length: days }, (_, day): Told => [SENSOR, { ...event, observedAt: NOON + day * DAY }]);
const listed = (reporter: Reporter, value: string, categories: SensorEvent['categories']): Told => [
  reporter,
  { value, sensorId: '', sensorType: 'UNSPECIFIED', protocol: 'UNSPECIFIED', categories },
];
const MALICIOUS = 'http://files.example.com/a.sh';

interface Row {
  readonly name: string;
  readonly story: readonly Told[];
  readonly confidence: readonly [least: number, most: number];
  readonly severity: string;
  readonly categories: string;
  /** Least and most days after lastSeen. */
  readonly days: readonly [least: number, most: number];
}

const ROWS: readonly Row[] = [
  {
    name: 'one Modbus device identification: certainly a scan, and a small one',
    story: [[SENSOR, { evidence: { 'modbus.function_code': '43', 'modbus.mei_type': '14' } }]],
    confidence: [70, 75],
    severity: 'LOW',
    categories: 'SCANNER',
    days: [3, 7],
  },
  {
    name: 'a stopped controller: certain, and as bad as it gets',
    story: [[SENSOR, { protocol: 'S7', evidence: { 's7.function_code': '0x29' } }]],
    confidence: [80, 89],
    severity: 'CRITICAL',
    categories: 'EXPLOIT',
    days: [7, 14],
  },
  {
    name: '500 failed logins on one day',
    story: [[SENSOR, { ...FAILED, count: 500n }]],
    confidence: [78, 85],
    severity: 'MEDIUM',
    categories: 'BRUTE_FORCE',
    days: [7, 14],
  },
  {
    name: '500 failed logins over 20 days: surer, and it will come again',
    story: daily(20, { ...FAILED, count: 25n }),
    confidence: [81, 87],
    severity: 'LOW',
    categories: 'BRUTE_FORCE',
    days: [21, 40],
  },
  {
    name: 'the same with a login and a download: malware',
    story: [
      ...daily(20, { ...FAILED, count: 25n }),
      [SENSOR, { ...SSH, evidence: { 'login.result': 'success' } }],
      [SENSOR, { ...SSH, evidence: { 'file.download': MALICIOUS } }],
    ],
    confidence: [88, 89],
    severity: 'HIGH',
    categories: 'MALWARE,BRUTE_FORCE',
    days: [45, 90],
  },
  {
    name: 'one informational alert of a detection rule: hardly anything',
    story: [[SENSOR, { ...SSH, severity: 'INFO', evidence: { 'alert.kind': 'scan' } }]],
    confidence: [30, 40],
    severity: 'INFO',
    categories: 'SCANNER',
    days: [3, 4],
  },
  {
    name: 'a list of others with reliability 0.5: as good as the list',
    story: [listed(LIST, '192.0.2.10', ['COMMAND_AND_CONTROL'])],
    confidence: [40, 50],
    severity: 'HIGH',
    categories: 'COMMAND_AND_CONTROL',
    days: [25, 35],
  },
  {
    name: 'three independent lists: together much better than each',
    story: ['a', 'b', 'c'].map((id) => listed(reporterOf(id, 0.5), '192.0.2.10', ['COMMAND_AND_CONTROL'])),
    confidence: [80, 90],
    severity: 'HIGH',
    categories: 'COMMAND_AND_CONTROL',
    days: [35, 45],
  },
  {
    name: 'SNMP, whose sender anybody can forge',
    story: daily(20, { protocol: 'SNMP', evidence: { 'snmp.operation': 'get' } }),
    confidence: [25, 40],
    severity: 'LOW',
    categories: 'SCANNER',
    days: [3, 14],
  },
  {
    name: 'an address that Censys publishes: certainly a scanner, and no threat',
    story: [[SENSOR, { value: '162.142.125.10', evidence: { 's7.function_code': '4', 's7.rosctr': '7' } }]],
    confidence: [70, 89],
    severity: 'LOW',
    categories: 'SCANNER',
    days: [3, 7],
  },
  {
    name: 'the same that writes: no research',
    story: [[SENSOR, { value: '162.142.125.10', evidence: { 'modbus.function_code': '5' } }]],
    confidence: [70, 89],
    severity: 'HIGH',
    categories: 'EXPLOIT',
    days: [7, 14],
  },
  {
    name: 'a name that an attacker typed: known to be named, no more',
    story: [[SENSOR, { value: 'files.example.com', evidence: { 'command.download': MALICIOUS } }]],
    confidence: [20, 40],
    severity: 'LOW',
    categories: 'MALWARE',
    days: [30, 60],
  },
  {
    name: 'google.com, typed by an attacker: harmless',
    story: [[SENSOR, { value: 'google.com', evidence: { 'command.download': 'http://google.com' } }]],
    confidence: [0, 10],
    severity: 'INFO',
    categories: 'MALWARE',
    days: [10, 40],
  },
  {
    name: 'google.com, from which a file is said to have come: never live and HIGH',
    story: [[SENSOR, { value: 'google.com', evidence: { 'file.download': 'http://google.com/a.sh' } }]],
    confidence: [0, 10],
    severity: 'INFO',
    categories: 'MALWARE',
    days: [10, 40],
  },
  {
    name: 'a URL from which a file came',
    story: [[SENSOR, { value: MALICIOUS, evidence: { 'file.download': MALICIOUS } }]],
    confidence: [85, 89],
    severity: 'HIGH',
    categories: 'MALWARE',
    days: [14, 21],
  },
  {
    name: 'a domain in two lists of one origin: as good as one list',
    story: ['a', 'b'].map((id) => listed(reporterOf(id, 0.5, 'origin'), 'bad.example.com', ['PHISHING'])),
    confidence: [40, 50],
    severity: 'MEDIUM',
    categories: 'PHISHING',
    days: [50, 70],
  },
];

describe('scenarios', () => {
  for (const { name, story, confidence, severity, categories, days } of ROWS) {
    test(name, async () => {
      const { indicator } = await outcomeOf(story);
      const score = indicator.confidenceScore;
      assert.ok(score >= confidence[0] && score <= confidence[1], `confidence ${score}`);
      assert.equal(indicator.severity, severity);
      assert.equal(indicator.categories.join(), categories);
      const life = ((indicator.validUntil ?? 0) - indicator.lastSeen) / DAY;
      assert.ok(life >= days[0] && life <= days[1], `${life} days`);
    });
  }
});
