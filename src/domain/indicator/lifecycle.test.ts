import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../errors.ts';
import { INDICATOR_STATES, type IndicatorState } from '../vocabulary.ts';
import type { IndicatorRecord } from './indicator.ts';
import { advance } from './lifecycle.ts';
import { NOON, OBSERVATION, recordOf } from './observation.test-support.ts';

const MOVES = ['RAW>SCORED', 'SCORED>ENRICHED', 'ENRICHED>VERIFIED'];

function inState(state: IndicatorState): IndicatorRecord {
  const record = recordOf([OBSERVATION]);
  return { ...record, indicator: { ...record.indicator, state } };
}

test('only the three moves of the lifecycle are legal', () => {
  for (const from of INDICATOR_STATES) {
    for (const to of INDICATOR_STATES) {
      const move = () => advance(inState(from), to, NOON, 'pipeline');
      if (MOVES.includes(`${from}>${to}`)) assert.equal(move().indicator.state, to);
      else
        assert.throws(move, (error) => error instanceof ServiceError && error.code === 'failed_precondition');
    }
  }
});

test('a move is recorded with its time and actor, and is a version of its own', () => {
  const record = inState('ENRICHED');
  const verified = advance(record, 'VERIFIED', NOON - 5, 'analyst@example.com');
  assert.deepEqual(verified.history.at(-1), {
    from: 'ENRICHED',
    to: 'VERIFIED',
    at: NOON - 5,
    actor: 'analyst@example.com',
  });
  assert.equal(verified.indicator.updatedAt, record.indicator.updatedAt + 1);
  assert.equal(record.history.length, 1);
});
