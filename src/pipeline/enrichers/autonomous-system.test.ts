import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AsnInfo } from '../../domain/indicator/indicator.ts';
import { autonomousSystem } from './autonomous-system.ts';
import { found, signalOf } from './enricher.test-support.ts';

const DATASET = { name: 'Systems', builtAt: 7 };

function finding(record: unknown): ReturnType<typeof found> {
  return found(
    autonomousSystem([{ dataset: DATASET, lookup: () => record, records: () => [] }]),
    signalOf([{}]),
  );
}

function systemOf(record: unknown): AsnInfo | undefined {
  return finding(record).asn;
}

test('each shape', () => {
  const system = { number: 64_496, organization: 'Example Networks' };
  for (const record of [
    { autonomous_system_number: 64_496, autonomous_system_organization: 'Example Networks' },
    { autonomous_system_number: '64496', autonomous_system_organization: ' Example\tNetworks ' },
    {
      country: {},
      traits: { autonomous_system_number: 64_496, autonomous_system_organization: 'Example Networks' },
    },
    { asn: 'AS64496', as_name: 'Example Networks', as_domain: 'example.net', country: 'NL' },
    { asn: 'AS64496', name: 'Example Networks', domain: 'example.net' },
  ]) {
    assert.deepEqual(systemOf(record), system, JSON.stringify(record));
  }
  assert.deepEqual(systemOf({ asn: 'AS4294967295' }), { number: 4_294_967_295, organization: '' });
});

test('an unknown system leaves out the data set too', () => {
  for (const record of [
    undefined,
    {},
    { autonomous_system_organization: 'Example' },
    { autonomous_system_number: 0 },
    { autonomous_system_number: 1.5 },
    { asn: 'AS0' },
    { asn: 'AS4294967296' },
    { asn: 'NONE' },
  ]) {
    assert.deepEqual(finding(record), {}, JSON.stringify(record));
  }
  assert.deepEqual(finding({ asn: 'AS64496' }).datasets, [DATASET]);
});
