import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT } from '../domain/indicator/observation.test-support.ts';
import { attribute } from './event-source.ts';
import type { Reporter } from './reporter.ts';

const OWN = { id: 'key-1', name: 'soc', reliability: 0.6 };
const REPORTER: Reporter = {
  account: 'default',
  id: 'line-1',
  group: 'line-1',
  source: OWN,
  title: 'key soc',
  sources: [],
  ceiling: 'GREEN',
};
const LISTED: Reporter = { ...REPORTER, sources: ['CISA'] };
const ANY: Reporter = { ...REPORTER, sources: ['*', 'CISA'] };

function named(id: string, name = '', reliability = 0) {
  return { ...EVENT, source: { id, name, reliability } };
}

test('an event that names nobody, or its own reporter, is of the reporter', () => {
  for (const reporter of [REPORTER, LISTED, ANY]) {
    assert.deepEqual(attribute(EVENT, reporter), { source: OWN, group: 'line-1' });
    assert.deepEqual(attribute(named(' '), reporter), { source: OWN, group: 'line-1' });
    assert.deepEqual(attribute(named('key-1', 'CISA', 0.2), reporter), {
      source: { ...OWN, reliability: 0.2 },
      group: 'line-1',
    });
  }
});

test('without the right, a source is a claim of its reporter and counts as the reporter', () => {
  for (const id of ['CISA', 'key-2', '*']) {
    const { source, ...counted } = attribute(named(id, 'Agency'), REPORTER);
    assert.deepEqual(source, { id: `key-1#${id}`, name: 'Agency (claimed by key soc)', reliability: 0.6 });
    assert.deepEqual(counted, { group: 'line-1' });
  }
  assert.equal(attribute(named('ESET', ' '), LISTED).source.name, 'ESET (claimed by key soc)');
});

test('a listed source is reported under the name that was listed, and counts for itself', () => {
  for (const reporter of [LISTED, ANY]) {
    assert.deepEqual(attribute(named('CISA', 'ESET', 1), reporter), {
      source: { id: 'key-1#CISA', name: 'CISA (reported by key soc)', reliability: 0.6 },
      group: 'source:CISA',
      credential: 'line-1',
    });
  }
});

test('a source that two reporters relay is one group, of two sources', () => {
  const other: Reporter = { ...LISTED, group: 'line-2', source: { ...OWN, id: 'key-2' }, title: 'key ops' };
  const [one, two] = [attribute(named('CISA'), LISTED), attribute(named('CISA'), other)];
  assert.equal(one.group, two.group);
  assert.notEqual(one.source.id, two.source.id);
  assert.equal(two.source.name, 'CISA (reported by key ops)');
});

test('the right for every name is no right to count as independent', () => {
  assert.deepEqual(attribute(named('ESET', 'Eset Research'), ANY), {
    source: { id: 'key-1#ESET', name: 'Eset Research (reported by key soc)', reliability: 0.6 },
    group: 'line-1',
  });
  assert.equal(attribute(named('*'), ANY).group, 'line-1');
});
