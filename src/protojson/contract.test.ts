// The vocabulary of the domain and the enumerations of the contract must be equal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as vocabulary from '../domain/vocabulary.ts';
import * as model from '../gen/threatintel/v1/model_pb.ts';
import { nameOf, namesOf } from './contract.ts';

const PAIRS = [
  [vocabulary.INDICATOR_TYPES, model.IndicatorTypeSchema, 'INDICATOR_TYPE_'],
  [vocabulary.THREAT_CATEGORIES, model.ThreatCategorySchema, 'THREAT_CATEGORY_'],
  [vocabulary.SEVERITIES, model.SeveritySchema, 'SEVERITY_'],
  [vocabulary.INDICATOR_STATES, model.IndicatorStateSchema, 'INDICATOR_STATE_'],
  [vocabulary.PROTOCOLS, model.ProtocolSchema, 'PROTOCOL_'],
  [vocabulary.SENSOR_TYPES, model.SensorTypeSchema, 'SENSOR_TYPE_'],
  [vocabulary.CONTROL_INTENTS, model.IntentSchema, 'INTENT_'],
  [vocabulary.VERDICTS, model.VerdictSchema, 'VERDICT_'],
  [vocabulary.TLP_MARKINGS, model.TlpMarkingSchema, 'TLP_MARKING_'],
] as const;

for (const [names, desc, prefix] of PAIRS) {
  test(`${desc.name} has the names of the vocabulary, at their numbers`, () => {
    assert.deepEqual(
      desc.values.map(({ name, number }) => [name, number]),
      names.map((name, index) => [prefix + name, index]),
    );
  });
}

test('the contract has no enumeration that the vocabulary lacks', () => {
  const enums = model.file_threatintel_v1_model.enums.map(({ name }) => name).sort();
  assert.deepEqual(enums, PAIRS.map(([, desc]) => desc.name).sort());
});

test('numbers become names, each once', () => {
  assert.equal(nameOf(vocabulary.SEVERITIES, 4), 'HIGH');
  assert.deepEqual(namesOf(vocabulary.PROTOCOLS, [1, 0, 1]), ['MODBUS', 'UNSPECIFIED']);
  assert.throws(() => nameOf(vocabulary.SEVERITIES, 6), RangeError);
});
