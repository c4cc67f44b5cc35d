import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackTechnique, idInRelease } from './attack-technique.ts';

test('techniques that became sub-techniques have both ids', () => {
  assert.deepEqual(attackTechnique('T1692.001'), {
    id: 'T1692.001',
    name: 'Unauthorized Message: Command Message',
    domain: 'ics',
    v18: 'T0855',
  });
  assert.equal(idInRelease('T1692.001', 19), 'T1692.001');
  assert.equal(idInRelease('T1692.001', 18), 'T0855');
  assert.equal(idInRelease('T0888', 18), 'T0888');
});

test('ids that no rule uses are unknown', () => {
  assert.equal(attackTechnique('T9999'), undefined);
  assert.equal(idInRelease('T9999', 18), 'T9999');
});
