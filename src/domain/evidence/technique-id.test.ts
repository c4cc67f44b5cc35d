import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ATTACK_TECHNIQUES } from './attack-technique.ts';
import { coveringTechniqueIds, currentTechniqueId, isTechniqueId } from './technique-id.ts';

test('a technique is found by its id of every release, and by the technique above it', () => {
  assert.deepEqual(coveringTechniqueIds('T1110.001'), ['T1110.001', 'T1110']);
  assert.deepEqual(coveringTechniqueIds('T0846'), ['T0846']);
  assert.deepEqual(coveringTechniqueIds('T0855'), ['T1692.001', 'T1692']);
  for (const { id, v18 } of ATTACK_TECHNIQUES) {
    assert.ok(isTechniqueId(id));
    assert.equal(currentTechniqueId(v18 ?? id), id);
  }
});

test('other texts are no ids', () => {
  for (const text of ['', 'T111', 't1110', 'T1110.1', 'T1110.0011', 'TA0001', 'T1110 ', 'brute force'])
    assert.ok(!isTechniqueId(text), text);
});
