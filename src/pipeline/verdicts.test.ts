// The verdict of each row of the table in docs/scores.md.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { confirmed } from '../domain/indicator/lifecycle.ts';
import { NOON } from '../domain/indicator/observation.test-support.ts';
import type { SensorEvent } from '../domain/indicator/sensor-event.ts';
import { withdrawn } from '../domain/indicator/withdrawal.ts';
import { judged, verdictIn } from '../domain/score/verdict.ts';
import type { Enricher } from './enricher.ts';
import { scannerFinding } from './enrichers/scanner-effect.ts';
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

const FILE = 'http://files.example.com/a.sh';
const CENSYS = '162.142.125.10';
const READ = { 's7.function_code': '4', 's7.rosctr': '7' };
const WRITE = { 'modbus.function_code': '5' };

const seen = (event: Partial<SensorEvent>): Told => [SENSOR, event];

/** What the reverse-DNS enricher finds for an address whose name leads back to it. */
const CONFIRMED_NAME: Enricher = {
  name: 'reverse-dns',
  appliesTo: () => true,
  enrich: (signal) =>
    scannerFinding({ name: 'Stretchoid', by: 'reverse-name', entry: 'zg-1.stretchoid.com' }, signal),
};

type Row = readonly [
  name: string,
  story: readonly Told[],
  verdict: string,
  because: RegExp,
  further?: Enricher,
];

const ROWS: readonly Row[] = [
  [
    'a stopped controller',
    [seen({ protocol: 'S7', evidence: { 's7.function_code': '0x29' } })],
    'MALICIOUS',
    /^exploit with/,
  ],
  ['three failed logins', [seen({ ...FAILED, count: 3n })], 'MALICIOUS', /^brute force with/],
  ['500 failed logins', [seen({ ...FAILED, count: 500n })], 'MALICIOUS', /^brute force with/],
  [
    'a URL from which a file came',
    [seen({ value: FILE, evidence: { 'file.download': FILE } })],
    'MALICIOUS',
    /^malware with/,
  ],
  [
    'a list of reliability 0.9',
    [listed(reporterOf('feed', 0.9), '192.0.2.10', ['COMMAND_AND_CONTROL'])],
    'MALICIOUS',
    /^command and control with/,
  ],
  [
    'three independent lists of reliability 0.5',
    ['a', 'b', 'c'].map((id) => listed(reporterOf(id, 0.5), '192.0.2.10', ['COMMAND_AND_CONTROL'])),
    'MALICIOUS',
    /^command and control with/,
  ],
  [
    'a research scanner that writes',
    [seen({ value: CENSYS, evidence: WRITE })],
    'MALICIOUS',
    /^Censys publishes its address, but it did more than scan: exploit/,
  ],
  ['one failed login', [seen(FAILED)], 'SUSPICIOUS', /nothing severe$/],
  [
    'an unknown address that asks a controller what it is',
    [seen({ evidence: READ })],
    'SUSPICIOUS',
    /^it scans, and nobody knows it/,
  ],
  [
    'a list of reliability 0.5',
    [listed(LIST, '192.0.2.10', ['COMMAND_AND_CONTROL'])],
    'SUSPICIOUS',
    /below 71$/,
  ],
  [
    'a Tor exit',
    [listed(reporterOf('feed', 0.9), '192.0.2.10', ['TOR_EXIT_NODE'])],
    'SUSPICIOUS',
    /^tor exit node, which has honest uses too$/,
  ],
  [
    'a research scanner that guesses passwords',
    [seen({ ...FAILED, value: CENSYS, count: 9n })],
    'SUSPICIOUS',
    /did more than scan: brute force/,
  ],
  [
    'an address that Censys publishes',
    [seen({ value: CENSYS, evidence: READ })],
    'SCANNER',
    /^Censys publishes its address, and nothing but scans/,
  ],
  [
    'a name of Stretchoid that leads back',
    [seen({ evidence: READ })],
    'SCANNER',
    /^its confirmed reverse name belongs to Stretchoid/,
    CONFIRMED_NAME,
  ],
  [
    'an attack from such a name',
    [seen({ evidence: WRITE })],
    'MALICIOUS',
    /did more than scan: exploit/,
    CONFIRMED_NAME,
  ],
  [
    'google.com, from which a file is said to have come',
    [seen({ value: 'google.com', evidence: { 'file.download': 'http://google.com/a' } })],
    'BENIGN',
    /^the list ".*" names it/,
  ],
  [
    'a URL that an attacker typed',
    [seen({ value: FILE, evidence: { 'command.download': FILE } })],
    'SUSPICIOUS',
    /^an attacker wanted to load it/,
  ],
  [
    'the front page of a site that an attacker typed',
    [seen({ value: 'https://bank.example/', evidence: { 'command.download': 'https://bank.example/' } })],
    'UNKNOWN',
    /^nothing proves/,
  ],
  [
    'a name that an attacker typed',
    [seen({ value: 'files.example.com', evidence: { 'command.download': FILE } })],
    'UNKNOWN',
    /^nothing proves/,
  ],
  [
    'SNMP, whose sender anybody can forge',
    daily(20, { protocol: 'SNMP', evidence: { 'snmp.operation': 'get' } }),
    'UNKNOWN',
    /^nothing proves/,
  ],
  [
    'one informational alert',
    [seen({ ...SSH, severity: 'INFO', evidence: { 'alert.kind': 'scan' } })],
    'UNKNOWN',
    /^nothing proves/,
  ],
  [
    'a list of reliability 0.2',
    [listed(reporterOf('feed', 0.2), '192.0.2.10', ['MALWARE'])],
    'UNKNOWN',
    /^confidence 18 is below 30/,
  ],
  [
    'a report that says nothing',
    [listed(reporterOf('feed', 0.9), '192.0.2.10', [])],
    'UNKNOWN',
    /^nobody says/,
  ],
];

describe('verdicts', () => {
  for (const [name, story, verdict, because, further] of ROWS) {
    test(`${name}: ${verdict}`, async () => {
      const { indicator, receipt } = await outcomeOf(story, further === undefined ? [] : [further]);
      assert.equal(verdictIn(indicator), verdict, receipt?.verdict?.because);
      assert.equal(receipt?.verdict?.verdict, verdict);
      assert.match(receipt?.verdict?.because ?? '', because);
    });
  }

  test('a person decides: confirmed, then withdrawn', async () => {
    const list = await outcomeOf([listed(LIST, '192.0.2.10', ['COMMAND_AND_CONTROL'])]);
    const known = judged(confirmed(list, NOON, 'ada'));
    assert.equal(verdictIn(known.indicator), 'MALICIOUS');
    assert.match(known.receipt?.verdict?.because ?? '', /^a person confirmed it as command and control$/);
    const gone = withdrawn(known, NOON);
    assert.equal(verdictIn(gone.indicator), 'UNKNOWN');
    assert.match(gone.receipt?.verdict?.because ?? '', /^a person withdrew it$/);
  });

  test('a person confirms what it says at that time, and nothing that others add', async () => {
    const scan = await outcomeOf([seen({ evidence: READ })]);
    const { record } = { record: confirmed(scan, NOON, 'ada') };
    const claimed = {
      ...record,
      indicator: { ...record.indicator, categories: ['MALWARE', 'SCANNER'] as const },
    };
    assert.equal(verdictIn(judged(claimed).indicator), 'SUSPICIOUS');
  });
});
