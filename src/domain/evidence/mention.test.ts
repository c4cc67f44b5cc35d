import assert from 'node:assert/strict';
import { test } from 'node:test';
import { observation, recordOf } from '../indicator/observation.test-support.ts';
import type { Observation } from '../indicator/sensor-event.ts';
import { isMereMention } from './mention.ts';
import { CAPTURED, LISTED, NAMED_HOST } from './quality.ts';

const NAMED = { behaviours: ['mention:host'], quality: NAMED_HOST } as const;
const OTHER = { source: { id: 'b', name: 'B', reliability: 0.5 }, group: 'key-2' } as const;

function isMention(...story: Partial<Observation>[]): boolean {
  return isMereMention(recordOf(story.map(observation)));
}

test('a host is a mere mention until it has evidence of its own', () => {
  assert.ok(isMention(NAMED, { ...NAMED, sensorId: 'honeypot-2' }));
  assert.ok(!isMention(NAMED, { behaviours: ['file:download'], quality: CAPTURED }), 'a file came from it');
  assert.ok(!isMention(NAMED, { ...NAMED, ...OTHER }), 'a second source names it');
  assert.ok(!isMention(NAMED, { ...OTHER, behaviours: [], quality: LISTED }), 'a list names it');
  assert.ok(!isMention(NAMED, { behaviours: ['scan:addresses'], quality: 0.28 }), 'it scans');
  assert.ok(!isMention({ behaviours: ['mention:url'], quality: NAMED_HOST }), 'a URL is what it is');
});
