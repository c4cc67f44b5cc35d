// Every rule in the table of limits must match a field of the contract.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRegistry, type DescField } from '@bufbuild/protobuf';
import { file_threatintel_v1_api_key_service } from '../gen/threatintel/v1/api_key_service_pb.ts';
import { file_threatintel_v1_indicator_service } from '../gen/threatintel/v1/indicator_service_pb.ts';
import { file_threatintel_v1_model } from '../gen/threatintel/v1/model_pb.ts';
import { file_threatintel_v1_sensor_event_service } from '../gen/threatintel/v1/sensor_event_service_pb.ts';
import { file_threatintel_v1_usage_service } from '../gen/threatintel/v1/usage_service_pb.ts';
import { FIELD_RULES, rangeFault, sizeFault, textFault } from './field-rules.ts';

const registry = createRegistry(
  file_threatintel_v1_model,
  file_threatintel_v1_indicator_service,
  file_threatintel_v1_sensor_event_service,
  file_threatintel_v1_api_key_service,
  file_threatintel_v1_usage_service,
);

function fieldNamed(name: string): DescField | undefined {
  const dot = name.lastIndexOf('.');
  return registry.getMessage(name.slice(0, dot))?.fields.find((field) => field.name === name.slice(dot + 1));
}

test('every rule is for a field that exists, and for its kind', () => {
  const names = Object.keys(FIELD_RULES);
  assert.ok(names.length > 20);
  for (const name of names) {
    const field = fieldNamed(name);
    assert.ok(field, name);
    const rule = FIELD_RULES[name]!;
    const isMany = field.fieldKind === 'list' || field.fieldKind === 'map';
    if (rule.minItems !== undefined || rule.maxItems !== undefined) assert.ok(isMany, name);
    if (rule.keys !== undefined) assert.equal(field.fieldKind, 'map', name);
    for (const member of Object.keys(rule.members ?? {})) {
      assert.ok(
        field.message?.fields.some((one) => one.name === member),
        `${name}.${member}`,
      );
    }
  }
});

test('lengths are counted in characters, not in code units', () => {
  assert.equal(textFault('😀😀', { max: 2 }), undefined);
  assert.equal(textFault('😀a', { max: 2 }), undefined);
  assert.match(textFault('😀aa', { max: 2 }) ?? '', /at most 2/);
  assert.match(textFault('', { min: 1, max: 2 }) ?? '', /empty/);
});

test('control characters', () => {
  assert.match(textFault('a\0') ?? '', /U\+0000/);
  assert.equal(textFault('a\n', { max: 9 }), undefined);
  assert.match(textFault('a\n', { max: 9, controls: 'none' }) ?? '', /control/);
  assert.match(textFault('a\u007f', { max: 9, controls: 'none' }) ?? '', /control/);
  assert.equal(textFault('a\0\n', { max: 9, controls: 'any' }), undefined);
});

test('ranges and sizes include their ends', () => {
  assert.equal(rangeFault(100, { range: [0, 100] }), undefined);
  assert.equal(rangeFault(0, { range: [0, 100] }), undefined);
  assert.match(rangeFault(Number.NaN, { range: [0, 1] }) ?? '', /from 0 to 1/);
  assert.equal(sizeFault(3, { minItems: 3, maxItems: 3 }), undefined);
  assert.match(sizeFault(2, { minItems: 3 }) ?? '', /at least 3/);
  assert.match(sizeFault(4, { maxItems: 3 }) ?? '', /at most 3/);
});
