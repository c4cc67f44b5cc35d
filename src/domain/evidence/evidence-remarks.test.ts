import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT } from '../indicator/observation.test-support.ts';
import type { SensorEvent } from '../indicator/sensor-event.ts';
import { EVIDENCE_KEYS } from './evidence-key.ts';
import { createEvidenceJudge } from './evidence-remarks.ts';

function remarks(evidence: Readonly<Record<string, string>>, event: Partial<SensorEvent> = {}): string[] {
  return createEvidenceJudge()({ ...EVENT, protocol: 'UNSPECIFIED', ...event, evidence }).map(
    ({ key, problem, nearestKey }) => `${problem} ${key} ${nearestKey}`.trim(),
  );
}

test('an unknown key is named with the nearest known one', () => {
  assert.deepEqual(remarks({ 'modbus.function': '5' }), ['UNKNOWN_KEY modbus.function modbus.function_code']);
  assert.deepEqual(remarks({ 'http.userAgent': 'x' }), ['UNKNOWN_KEY http.userAgent http.user_agent']);
  assert.deepEqual(remarks({ 'vendor.firmware.build': '7' }), ['UNKNOWN_KEY vendor.firmware.build']);
  assert.deepEqual(remarks({ constructor: 'x' }), ['UNKNOWN_KEY constructor']);
});

test('no key is proposed for a password, which is not kept', () => {
  assert.deepEqual(remarks({ 'login.password': 'x' }), ['UNKNOWN_KEY login.password']);
});

test('a key that refines another one needs it', () => {
  assert.deepEqual(remarks({ 'modbus.mei_type': '13' }), ['MISSING_KEY modbus.function_code']);
  assert.deepEqual(remarks({ 'modbus.mei_type': '13', 'modbus.function_code': '43' }), []);
  assert.deepEqual(remarks({ 'login.tries': '3' }), ['MISSING_KEY login.result']);
});

test('an event of a control protocol that says nothing is told which key decides', () => {
  assert.deepEqual(remarks({}, { protocol: 'MODBUS' }), ['MISSING_KEY modbus.function_code']);
  assert.deepEqual(remarks({ 'dnp3.function': '13' }, { protocol: 'DNP3' }), [
    'UNKNOWN_KEY dnp3.function dnp3.function_code',
    'MISSING_KEY dnp3.function_code',
  ]);
  assert.deepEqual(remarks({ connection: 'established' }, { protocol: 'MODBUS' }), []);
  assert.deepEqual(remarks({ 'destination.port': '502' }, { protocol: 'MODBUS' }), [
    'MISSING_KEY modbus.function_code',
  ]);
  assert.deepEqual(remarks({}, { protocol: 'SSH' }), []);
});

test('a value outside a closed list', () => {
  assert.deepEqual(remarks({ 'scan.type': 'horizontal', 'login.result': 'failed' }), [
    'UNKNOWN_VALUE scan.type',
  ]);
  assert.deepEqual(remarks({ 'http.body': 'plain', 'scan.type': 'unknown', 'frame.malformed': 'false' }), []);
});

test('every known key is known, and the remarks are bounded', () => {
  for (const key of Object.keys(EVIDENCE_KEYS))
    assert.ok(!remarks({ [key]: 'x' }).some((remark) => remark.startsWith('UNKNOWN_KEY')), key);
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'x']));
  assert.equal(remarks(many).length, 10);
});
