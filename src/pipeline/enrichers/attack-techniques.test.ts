import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackTechniques } from './attack-techniques.ts';
import { found, signalOf } from './enricher.test-support.ts';

test('each technique with its behaviour, sorted by id', () => {
  const behaviours = ['modbus:write-single-coil', 'modbus:write-single-register', 's7:plc-stop'];
  assert.deepEqual(found(attackTechniques(), signalOf([{ behaviours }])).techniques, [
    { id: 'T0816', because: 's7:plc-stop' },
    { id: 'T0836', because: 'modbus:write-single-register' },
    { id: 'T1692.001', because: 'modbus:write-single-coil' },
  ]);
});

test('ids of release 18 on demand', () => {
  const signal = signalOf([{ behaviours: ['modbus:write-single-coil'] }]);
  assert.deepEqual(found(attackTechniques(18), signal).techniques, [
    { id: 'T0855', because: 'modbus:write-single-coil' },
  ]);
});

test('behaviours without a technique, or unknown to this version, give none', () => {
  const signal = signalOf([{ behaviours: ['from:the-future', 'modbus:function-99'] }]);
  assert.deepEqual(found(attackTechniques(), signal).techniques, []);
});

test('it does not apply to an indicator without behaviours', () => {
  assert.equal(attackTechniques().appliesTo(signalOf([{ behaviours: [] }])), false);
  assert.equal(attackTechniques().appliesTo(signalOf([{}])), true);
});
