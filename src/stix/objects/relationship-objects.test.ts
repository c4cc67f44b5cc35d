// The key of a relationship in a record leads back to its target.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enriched, INSTALLATION, withObservation } from './observed-records.test-support.ts';
import { referencedObjects } from './referenced-objects.ts';
import { relatedBy, relatedObjects } from './relationship-objects.ts';
import { stixContext } from './stix-object.ts';
import { markingRefs } from './tlp-markings.ts';

const SHARED = referencedObjects({
  ...stixContext(INSTALLATION.secret),
  ...INSTALLATION,
  markingRefs: markingRefs(false),
});

test('a key leads to what the enrichment related it to, at another marking to another object', () => {
  const { indicator } = enriched(withObservation(undefined, {}), {
    malwareFamilies: ['Mirai', 'Win32:location:NL'],
    attackTechniques: ['T0846'],
    geo: { countryCode: 'NL', city: '' },
  });
  const related = relatedObjects(indicator, SHARED);
  assert.deepEqual(
    related.map(({ target }) => target.type),
    ['malware', 'malware', 'attack-pattern', 'location'],
  );
  for (const one of related) {
    assert.deepEqual(relatedBy(one.key, indicator.tlp, SHARED), one);
    const red = relatedBy(one.key, 'RED', SHARED);
    assert.deepEqual([red.key, red.target.type], [one.key, one.target.type]);
    assert.notEqual(red.target.id, one.target.id);
  }
});

test('a key that nothing stands behind is a fault, not a technique', () => {
  for (const key of ['tool:Mirai', 'Mirai', '', 'constructor:x']) {
    assert.throws(() => relatedBy(key, 'GREEN', SHARED), TypeError);
  }
});
