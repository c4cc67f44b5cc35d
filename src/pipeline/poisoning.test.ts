// What one credential or one attacker can do to a value that is not his, or for his own: the tables in
// docs/decisions/0062-a-verdict-by-stated-rules.md.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import { confirmed } from '../domain/indicator/lifecycle.ts';
import { mergeObservation } from '../domain/indicator/merge.ts';
import { CONTEXT, NOON, observation } from '../domain/indicator/observation.test-support.ts';
import type { SensorEvent } from '../domain/indicator/sensor-event.ts';
import { DAY } from '../domain/instant.ts';
import { judged, verdictIn } from '../domain/score/verdict.ts';
import { listed, outcomeOf, reporterOf, SENSOR, type Told } from './story.test-support.ts';

const BANK = '192.0.2.10';
const CENSYS = '162.142.125.10';
const STOP = { 's7.function_code': '0x29' };
const SCAN: Told = [SENSOR, { value: BANK, evidence: { 'modbus.function_code': '43' } }];

/** Everything that a reporter can invent: acts, sensors, days, counts and source names. */
function flood(reliability: number, value = BANK): Told[] {
  const acts: Partial<SensorEvent>[] = [
    { protocol: 'S7', evidence: STOP },
    { evidence: { 'file.upload': 'x' } },
    { evidence: { 'http.attack': 'sqli', 'exploit.cve': 'CVE-2026-0001' } },
    { categories: ['COMMAND_AND_CONTROL', 'MALWARE'], severity: 'CRITICAL' },
  ];
  return Array.from({ length: 200 }, (_, index): Told => {
    const key = reporterOf(`key-${index % 5}`, reliability, 'one-credential');
    const event = acts[index % acts.length];
    return [
      key,
      {
        value,
        sensorId: `invented-${index}`,
        observedAt: NOON + (index % 60) * DAY,
        count: 10n ** 9n,
        ...event,
      },
    ];
  });
}

async function verdictAfter(story: readonly Told[]): Promise<string> {
  const { indicator, receipt } = await outcomeOf(story);
  assert.equal(receipt?.verdict?.verdict, verdictIn(indicator));
  return verdictIn(indicator);
}

describe('poisoning', () => {
  test('forged packets and typed names leave a bank unknown, however many', async () => {
    const forged = Array.from(
      { length: 60 },
      (_, day): Told => [
        SENSOR,
        {
          value: BANK,
          sensorId: `sensor-${day % 9}`,
          observedAt: NOON + day * DAY,
          count: 10n ** 6n,
          protocol: 'SNMP',
          evidence: { 'snmp.operation': 'set', 'command.download': `http://${BANK}/a.sh` },
        },
      ],
    );
    assert.equal(await verdictAfter(forged), 'UNKNOWN');
  });

  test('a key of the default reliability makes nothing malicious, whatever it invents', async () => {
    assert.equal(await verdictAfter(flood(0.7)), 'SUSPICIOUS');
    const seen = await outcomeOf([...flood(0.7), [SENSOR, { ...SCAN[1], observedAt: NOON + 59 * DAY }]]);
    assert.ok(seen.indicator.confidenceScore > 90, 'a sensor of the operator saw it scan');
    assert.equal(verdictIn(seen.indicator), 'SUSPICIOUS', 'which does not support the claims');
  });

  test('a key of higher reliability can, as one group and below 90', async () => {
    const { indicator, receipt } = await outcomeOf(flood(0.9));
    assert.equal(verdictIn(indicator), 'MALICIOUS');
    assert.ok(indicator.confidenceScore <= 89);
    assert.deepEqual(
      receipt?.groups.map(({ group }) => group),
      ['one-credential'],
    );
  });

  test('a known value stays benign, and an address of a scanner becomes suspicious at most by claims', async () => {
    assert.equal(await verdictAfter(flood(1, '8.8.8.8')), 'BENIGN');
    const malware = Array.from({ length: 50 }, (_, index) =>
      listed(reporterOf(`list-${index}`, 0.9, 'one'), CENSYS, ['MALWARE']),
    );
    assert.equal(await verdictAfter(malware), 'SUSPICIOUS');
    assert.equal(await verdictAfter(flood(0.7, CENSYS)), 'SUSPICIOUS');
  });

  test('what is added to a confirmed indicator has to prove itself', async () => {
    const known = judged(confirmed(await outcomeOf([SCAN]), NOON, 'ada'));
    const claim = observation({
      categories: ['MALWARE'],
      group: 'other',
      source: { id: 'o', name: 'o', reliability: 0.1 },
    });
    const after: IndicatorRecord = judged(mergeObservation(known, claim, CONTEXT));
    assert.equal(verdictIn(after.indicator), 'SUSPICIOUS');
  });

  test('nobody talks himself out of it: labels, tags and harmless reports change nothing', async () => {
    const praise: Told[] = [
      [
        reporterOf('friend', 1),
        { value: BANK, labels: [{ key: 'verdict', value: 'benign' }], tags: ['verdict:benign'] },
      ],
      listed(reporterOf('friend', 1), BANK, []),
      listed(reporterOf('friend', 1), BANK, ['SCANNER']),
    ];
    assert.equal(await verdictAfter([[SENSOR, { value: BANK, evidence: STOP }], ...praise]), 'MALICIOUS');
  });
});
