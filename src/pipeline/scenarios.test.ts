// What an analyst expects of confidence, severity, categories and lifetime, and what comes out. Each row is a story of
// events, from validation to enrichment.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY } from '../domain/instant.ts';
import {
  daily,
  FAILED,
  LIST,
  listed,
  outcomeOf,
  reporterOf,
  SENSOR,
  SSH,
  type Told,
} from './story.test-support.ts';

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
