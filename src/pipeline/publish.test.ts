import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CAPTURED, NAMED_HOST } from '../domain/evidence/quality.ts';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import { NOON, observation, recordOf } from '../domain/indicator/observation.test-support.ts';
import { publish } from './publish.ts';
import { score } from './score.ts';

const NAMED = observation({ behaviours: ['mention:host'], quality: NAMED_HOST });
const SERVED = observation({ behaviours: ['file:download'], quality: CAPTURED });

/** Whether the renderer was asked for a version. */
function isRendered(record: IndicatorRecord): boolean {
  let asked = false;
  publish(record, 0, () => {
    asked = true;
    return { changes: [], feed: undefined };
  });
  return asked;
}

test('a RAW indicator and a host that was only named stay out of the feed', () => {
  assert.ok(!isRendered(recordOf([SERVED])));
  assert.ok(!isRendered(score(recordOf([NAMED]), NOON)));
  assert.ok(isRendered(score(recordOf([NAMED, SERVED]), NOON)), 'a file came from it');
});

test('a host that readers have already gets its versions', () => {
  assert.ok(isRendered({ ...score(recordOf([NAMED]), NOON), published: 'an earlier version' }));
});
