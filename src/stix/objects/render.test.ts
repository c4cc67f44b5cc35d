// What is published about changing indicators: each object at the right time, with the right marking, and complete.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readersOf } from '../../domain/audience.ts';
import type { IndicatorRecord } from '../../domain/indicator/indicator.ts';
import { DAY } from '../../domain/instant.ts';
import { isVisible } from '../../domain/tlp.ts';
import { TLP_MARKINGS, type TlpMarking } from '../../domain/vocabulary.ts';
import { openTemporaryStore } from '../../store/contract/temporary-store.test-support.ts';
import type { FeedAppend } from '../../store/feed.ts';
import type { Stores } from '../../store/stores.ts';
import { initialObjects } from './initial-objects.ts';
import {
  enriched,
  entriesOf,
  INSTALLATION,
  START,
  withObservation,
} from './observed-records.test-support.ts';
import { createRenderStix } from './render.ts';
import { TLP_MARKING_DEFINITIONS } from './tlp-markings.ts';

const render = createRenderStix({ installation: INSTALLATION, collections: () => [], withTlp1: false });

/** Publishes as the pipeline does and keeps the entries. */
class Publisher {
  readonly entries: FeedAppend[] = [];

  publish(record: IndicatorRecord, changed = true): IndicatorRecord {
    const { changes, feed } = render(record, changed, readersOf(record.indicator.tlp));
    this.entries.push(...entriesOf(changes));
    return feed === undefined ? record : { ...record, feed };
  }

  /** The objects of a type, one for each version. */
  objects(type: string): Record<string, unknown>[] {
    return this.entries.filter((entry) => entry.type === type).map(({ object }) => JSON.parse(object));
  }
}

describe('relationships', () => {
  const found = {
    malwareFamilies: ['Mirai'],
    attackTechniques: ['T0846'],
    geo: { countryCode: 'NL', city: '' },
  };

  test('to malware, techniques and the country, each published once', () => {
    const publisher = new Publisher();
    const record = publisher.publish(enriched(withObservation(undefined, {}), found));
    publisher.publish(enriched(withObservation(record, { at: START + 1 }), found));
    const relations = publisher.objects('relationship');
    assert.deepEqual(
      relations.map(({ relationship_type, source_ref }) => [relationship_type, source_ref]),
      ['indicates', 'indicates', 'related-to'].map((type) => [type, `indicator--${record.indicator.id}`]),
    );
    const [malware] = publisher.objects('malware');
    const [technique] = publisher.objects('attack-pattern');
    const [country] = publisher.objects('location');
    assert.deepEqual([malware?.name, malware?.is_family], ['Mirai', true]);
    assert.equal(technique?.name, 'Remote System Discovery');
    assert.deepEqual(technique?.external_references, [{ source_name: 'mitre-attack', external_id: 'T0846' }]);
    assert.deepEqual([country?.name, country?.country], ['Netherlands', 'NL']);
    assert.deepEqual(
      relations.map(({ target_ref }) => target_ref),
      [malware?.id, technique?.id, country?.id],
    );
  });

  test('one that no longer holds is revoked, and is another one when it holds again', () => {
    const publisher = new Publisher();
    let record = publisher.publish(enriched(withObservation(undefined, {}), found));
    record = publisher.publish(
      enriched(withObservation(record, { at: START + 1 }), { ...found, malwareFamilies: [] }),
    );
    publisher.publish(enriched(withObservation(record, { at: START + 2 }), found));
    const [first, , , ended, again] = publisher.objects('relationship');
    assert.deepEqual([ended?.id, ended?.target_ref, ended?.revoked], [first?.id, first?.target_ref, true]);
    assert.equal(again?.target_ref, first?.target_ref);
    assert.notEqual(again?.id, first?.id);
  });

  test('while an indicator is only scored, nothing refers to it yet', () => {
    const publisher = new Publisher();
    const record = withObservation(undefined, {});
    publisher.publish({ ...record, indicator: { ...record.indicator, state: 'SCORED' } });
    assert.deepEqual(
      publisher.entries.map(({ type }) => type),
      ['indicator'],
    );
  });
});

describe('sightings', () => {
  test('one for each source and day, with the window and the count', () => {
    const publisher = new Publisher();
    let record = withObservation(undefined, { at: START, count: 3 });
    record = withObservation(record, { at: START + 5, source: 's2' });
    record = withObservation(record, { at: START + DAY });
    publisher.publish(enriched(record));
    const sources = publisher.objects('identity').map(({ id, name }) => [id, name]);
    assert.deepEqual(
      sources.map(([, name]) => name),
      ['Source s1', 'Source s2', 'Source s1'],
    );
    const midnight = '2026-02-02T00:00:00.000Z';
    assert.deepEqual(
      publisher
        .objects('sighting')
        .map((one) => [one.first_seen, one.last_seen, one.count, one.where_sighted_refs]),
      [
        [midnight, '2026-02-02T12:00:00.000Z', 1, [sources[0]?.[0]]],
        ['2026-02-01T12:00:00.000Z', '2026-02-01T12:00:00.005Z', 1, [sources[1]?.[0]]],
        ['2026-02-01T12:00:00.000Z', '2026-02-01T12:00:00.000Z', 3, [sources[0]?.[0]]],
      ],
    );
  });

  test('published again when the count has doubled and when the day is over, not with every event', () => {
    const publisher = new Publisher();
    let record: IndicatorRecord | undefined;
    for (let event = 0; event < 1_000; event++) {
      record = publisher.publish(enriched(withObservation(record, { at: START + event })), event === 0);
    }
    const counts = () => publisher.objects('sighting').map(({ count }) => count);
    assert.deepEqual(counts(), [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
    record = publisher.publish(enriched(withObservation(record, { at: START + DAY })), false);
    assert.deepEqual(counts().slice(10), [1, 1_000]);
    // A late report for a past day waits until the count doubles.
    record = publisher.publish(enriched(withObservation(record, { at: START + 2_000, count: 23 })), false);
    assert.equal(counts().length, 12);
    publisher.publish(enriched(withObservation(record, { at: START + 2_001 })), false);
    assert.deepEqual(counts().slice(12), [1_024]);
  });

  test('a count that STIX cannot carry stops at its limit', () => {
    const publisher = new Publisher();
    const record = publisher.publish(enriched(withObservation(undefined, { count: 10_000_000_000 })));
    publisher.publish(enriched(withObservation(record, { at: START + 1, count: 90_000_000_000 })), false);
    assert.deepEqual(
      publisher.objects('sighting').map(({ count }) => count),
      [999_999_999],
    );
  });
});

describe('a revoked indicator', () => {
  test('gets one last version, as do its relationships; none follows for readers of another marking', () => {
    const publisher = new Publisher();
    let record = publisher.publish(enriched(withObservation(undefined, {}), { attackTechniques: ['T0846'] }));
    record = { ...withObservation(record, { at: START + 1 }), revokedAt: START + 1 };
    record = publisher.publish(record);
    assert.deepEqual(
      publisher.objects('indicator').map(({ revoked }) => revoked),
      [undefined, true],
    );
    assert.deepEqual(
      publisher.objects('relationship').map(({ revoked }) => revoked),
      [undefined, true],
    );
    const published = publisher.entries.length;
    record = publisher.publish(withObservation(record, { at: START + DAY, count: 500 }));
    assert.equal(publisher.entries.length, published);
    publisher.publish(withObservation(record, { at: START + DAY + 1, tlp: 'RED' }));
    assert.equal(publisher.entries.length, published);
  });

  test('that nobody was told of is never mentioned', () => {
    const publisher = new Publisher();
    publisher.publish({ ...enriched(withObservation(undefined, {})), revokedAt: START });
    assert.deepEqual(publisher.entries, []);
  });
});

describe('an archived indicator', () => {
  const found = { attackTechniques: ['T0846'] };
  const first = () => enriched(withObservation(undefined, {}), found);

  test('gets one last version, which ends its validity without revoking it', () => {
    const publisher = new Publisher();
    const record = publisher.publish(first());
    const gone = { ...record, archivedAt: START + DAY };
    const { changes } = render(gone, true, readersOf('GREEN'));
    const id = `indicator--${record.indicator.id}`;
    assert.deepEqual(
      changes.map((change) => ('from' in change ? [change.id, 'hide'] : [change.id, 'version'])),
      [
        [id, 'version'],
        [id, 'hide'],
      ],
    );
    publisher.publish(gone);
    const [, last] = publisher.objects('indicator');
    assert.equal(last?.revoked, undefined);
    assert.ok(String(last?.valid_until) > String(last?.valid_from));
    const [extension] = Object.values(last?.extensions as object);
    assert.equal(extension.archived, true);
    assert.deepEqual(render({ ...first(), archivedAt: START + DAY }, true, readersOf('GREEN')).changes, []);
  });

  test('that comes back is published with everything about it, under the same ids and as new versions', () => {
    const publisher = new Publisher();
    const record = publisher.publish(first());
    const before = publisher.entries.length;
    const { archivedAt, ...gone } = publisher.publish({ ...record, archivedAt: START + DAY });
    assert.equal(archivedAt, START + DAY);
    const back = publisher.publish(enriched(withObservation(gone, { at: START + 90 * DAY }), found), false);
    const again = publisher.entries.slice(before + 1);
    for (const type of ['indicator', 'relationship', 'sighting']) {
      const [old] = publisher.entries.filter((entry) => entry.type === type);
      const renewed = again.filter((entry) => entry.type === type);
      const same = renewed.find(({ id }) => id === old?.id);
      assert.ok(same !== undefined && old !== undefined && same.version > old.version, type);
    }
    assert.equal(again.filter(({ type }) => type === 'sighting').length, 2);
    const known = publisher.entries.length;
    publisher.publish(back, false);
    assert.equal(publisher.entries.length, known);
  });
});

test('the marking of TLP 1 stands beside that of TLP 2 where it is asked for and exists', () => {
  const both = createRenderStix({ installation: INSTALLATION, collections: () => [], withTlp1: true });
  const refsOf = (tlp: TlpMarking) => {
    const { changes } = both(enriched(withObservation(undefined, { tlp })), true, readersOf(tlp));
    return new Set(
      entriesOf(changes).map(({ object }) => JSON.stringify(JSON.parse(object).object_marking_refs)),
    );
  };
  const red = 'marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed';
  assert.deepEqual(refsOf('RED'), new Set([JSON.stringify([markingId('RED'), red])]));
  assert.deepEqual(refsOf('AMBER_STRICT'), new Set([JSON.stringify([markingId('AMBER_STRICT')])]));
});

const steps = fc.array(
  fc.record({
    value: fc.constantFrom('192.0.2.1', '192.0.2.2', '192.0.2.3'),
    day: fc.nat(3),
    count: fc.integer({ min: 1, max: 9 }),
    source: fc.constantFrom('s1', 's2', 's3'),
    tlp: fc.constantFrom(...TLP_MARKINGS.slice(1)),
    malwareFamilies: fc.subarray(['Mirai', 'Industroyer']),
    attackTechniques: fc.subarray(['T0846', 'T0855']),
    countryCode: fc.constantFrom('', 'NL'),
  }),
  { minLength: 1, maxLength: 8 },
);

test('whatever happens: every reader sees whole objects under their marking, and nothing of what is above', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (happened) => {
      const opened = await openTemporaryStore(() => START);
      try {
        const { stores } = opened;
        await stores.write((tx) => tx.append(initialObjects(INSTALLATION), START));
        const records = new Map<string, IndicatorRecord>();
        const mentioned = new Map<string, Set<TlpMarking>>();
        for (const [index, { value, day, countryCode, ...step }] of happened.entries()) {
          const at = START + day * DAY + index;
          const { malwareFamilies, attackTechniques } = step;
          const record = enriched(withObservation(records.get(value), { ...step, value, at }), {
            malwareFamilies,
            attackTechniques,
            geo: { countryCode, city: '' },
          });
          const { changes, feed } = render(record, true, readersOf(record.indicator.tlp));
          records.set(value, feed === undefined ? record : { ...record, feed });
          note(mentioned, entriesOf(changes), record.indicator.tlp);
          await stores.write((tx) => tx.append(changes, at));
          await assertSound(stores, mentioned);
        }
      } finally {
        await opened.dispose();
      }
    }),
    { numRuns: 20 },
  );
});

/** Objects that every reader has. */
const PREAMBLE = new Set(initialObjects(INSTALLATION).map(({ id }) => id));

/** Records the markings of all references to each object. */
function note(
  mentioned: Map<string, Set<TlpMarking>>,
  entries: readonly FeedAppend[],
  tlp: TlpMarking,
): void {
  for (const { object } of entries) {
    for (const id of referencesOf(JSON.parse(object))) {
      if (PREAMBLE.has(id)) continue;
      mentioned.set(id, (mentioned.get(id) ?? new Set()).add(tlp));
    }
  }
}

async function assertSound(stores: Stores, mentioned: Map<string, Set<TlpMarking>>): Promise<void> {
  const until = Number((await stores.feed.bounds('RED'))?.end.place);
  const bytes = new Map<string, string>();
  for (const ceiling of TLP_MARKINGS.slice(1)) {
    const all = { until, limit: 5_000, ceiling, versions: 'all' } as const;
    const { entries } = await stores.feed.versions(all);
    const { entries: objects } = await stores.feed.objects(all);
    const earlier = new Set<string>();
    for (const [index, entry] of entries.entries()) {
      const json = objects[index]?.object ?? '';
      for (const id of referencesOf(JSON.parse(json)))
        assert.ok(earlier.has(id), `${entry.id} refers to ${id} at ${ceiling}`);
      earlier.add(entry.id);
      const version = `${entry.id} ${entry.version}`;
      assert.equal(bytes.get(version) ?? json, json);
      bytes.set(version, json);
      const known = mentioned.get(entry.id);
      if (!/^(?:identity|malware|attack-pattern|location)--/.test(entry.id) || known === undefined) continue;
      assert.ok(
        [...known].some((tlp) => isVisible(tlp, ceiling)),
        `${entry.id} is known at ${[...known]} only, and shown at ${ceiling}`,
      );
    }
    const { entries: newest } = await stores.feed.objects({ until, limit: 5_000, ceiling });
    for (const { object } of newest) assertMarked(object, ceiling);
  }
}

/** The newest version has the marking that applies. */
function assertMarked(json: string, ceiling: TlpMarking): void {
  const { id, object_marking_refs: refs } = JSON.parse(json) as {
    id: string;
    object_marking_refs?: string[];
  };
  for (const ref of refs ?? []) {
    const place = TLP_MARKING_DEFINITIONS.findIndex((marking) => marking.id === ref);
    assert.ok(place >= 0 && isVisible(TLP_MARKINGS[place + 1] ?? 'RED', ceiling), `${id} at ${ceiling}`);
  }
}

function referencesOf(object: Record<string, unknown>): string[] {
  return Object.entries(object).flatMap(([name, value]) => {
    if (name.endsWith('_ref')) return [String(value)];
    return name.endsWith('_refs') ? (value as string[]) : [];
  });
}

function markingId(tlp: TlpMarking): string {
  return TLP_MARKING_DEFINITIONS[TLP_MARKINGS.indexOf(tlp) - 1]?.id ?? '';
}
