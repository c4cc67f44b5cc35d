// Rules of storing indicators: a record is returned as it was saved, keeps its position, and obeys the ceiling.

import assert from 'node:assert/strict';
import { EVERYBODY } from '../../domain/audience.ts';
import type { IndicatorRecord } from '../../domain/indicator/indicator.ts';
import { isVisible } from '../../domain/tlp.ts';
import { TLP_MARKINGS } from '../../domain/vocabulary.ts';
import {
  anIndicator,
  aRecord,
  aSummary,
  aWrite,
  criteriaOf,
  idOf,
  keyOf,
  NOW,
  save,
  valueIn,
} from './fixtures.ts';
import type { Rule } from './rule.ts';

const FULL: IndicatorRecord = {
  ...aRecord(),
  indicator: anIndicator({
    value: 'пример.example',
    categories: ['MALWARE', 'BOTNET'],
    validUntil: NOW + 1,
    sources: [{ id: 'sensor "1"', name: 'Prüfstand 😀\u0000', reliability: 0.7, reportedAt: -1 }],
    sightings: [
      { sourceId: 'sensor-1', observedAt: NOW, count: 2n ** 64n - 1n },
      { sourceId: 'sensor-1', observedAt: NOW - 1, count: 1n },
    ],
    enrichment: {
      ...aSummary('schreibt Spulen 写线圈 \u{1F6E2}\u0000 end'),
      geo: { countryCode: 'DE', city: '', latitude: 0, longitude: -0.5 },
      asn: { number: 4_294_967_295, organization: '日本 AS' },
      riskScore: 0,
    },
    tags: ['"quoted"', 'zażółć'],
    labels: [{ key: 'intent', value: 'write' }],
  }),
  published: 'fingerprint',
};

export function describeRecords(rule: Rule): void {
  rule(
    'a record comes back as it was saved: absent members, counts up to 2^64-1, any text',
    async (opened) => {
      const write = { record: FULL, audience: EVERYBODY, document: '{"value":"написано 😀 \\u0000"}' };
      await opened.stores.write((tx) => tx.save([write]));
      const { id } = FULL.indicator;
      const { indicators } = opened.stores;
      assert.deepEqual(await indicators.record(id, 'RED'), FULL);
      assert.equal(await indicators.document(id, 'RED'), write.document);
      assert.deepEqual((await opened.stores.write((tx) => tx.load([id]))).get(id), [FULL]);
    },
  );

  rule('a save replaces what was there and keeps its place in the order of creation', async ({ stores }) => {
    await save(stores, [{ value: 'a' }, { value: 'b' }, { value: 'c' }]);
    const before = await stores.indicators.search(criteriaOf(), 10);
    await save(stores, [{ value: 'a', tags: ['new'], severity: 'CRITICAL' }]);
    const after = await stores.indicators.search(criteriaOf(), 10);
    assert.deepEqual(
      after.rows.map(({ seq, document }) => [seq, valueIn(document)]),
      before.rows.map(({ seq, document }) => [seq, valueIn(document)]),
    );
    assert.deepEqual((await stores.indicators.record(idOf('a'), 'RED'))?.indicator.tags, ['new']);
  });

  rule('an indicator saved twice in one call is the second one', async ({ stores }) => {
    await save(stores, [
      { value: 'a', tags: ['first'] },
      { value: 'a', tags: ['second'] },
    ]);
    const found = await stores.indicators.search(criteriaOf({ tags: ['first', 'second'] }), 10);
    assert.equal(found.rows.length, 1);
    assert.deepEqual((await stores.indicators.record(idOf('a'), 'RED'))?.indicator.tags, ['second']);
  });

  rule('the revision of a record grows with every write of it, and only of it', async ({ stores }) => {
    const revisions = () =>
      stores.write((tx) => tx.revisions(['a', 'b', 'nowhere'].map((value) => keyOf(idOf(value)))));
    await save(stores, [{ value: 'a' }, { value: 'b' }]);
    const first = await revisions();
    await save(stores, [{ value: 'a' }]);
    const second = await revisions();
    assert.ok(Number(second[0]) > Number(first[0]));
    assert.equal(second[1], first[1]);
    assert.equal(second[2], undefined);
    const [loaded] = await stores.write((tx) => tx.loadViews([keyOf(idOf('a'))]));
    assert.equal(loaded?.revision, second[0]);
  });

  rule('a save without a document changes the record, and nothing that searches find', async ({ stores }) => {
    const { record, audience, document = '' } = aWrite({ value: 'a', tags: ['new'] });
    const key = keyOf(idOf('a'));
    const found = async (tag: string) =>
      (await stores.indicators.search(criteriaOf({ tags: [tag] }), 10)).rows.map((row) => row.document);
    await assert.rejects(stores.write((tx) => tx.save([{ record, audience }])));
    await save(stores, [{ value: 'a', tags: ['old'] }]);
    const before = await found('old');
    const [stored] = await stores.write((tx) => tx.loadViews([key]));
    await stores.write((tx) => tx.save([{ record, audience }]));
    assert.deepEqual([await found('old'), await found('new')], [before, []]);
    assert.equal(await stores.indicators.document(idOf('a'), 'RED'), before[0]);
    const [ahead] = await stores.write((tx) => tx.loadViews([key]));
    assert.deepEqual(ahead?.record, record);
    assert.ok(Number(ahead?.revision) > Number(stored?.revision));
    await stores.write((tx) => tx.save([{ record, audience, document }]));
    assert.deepEqual([await found('old'), await found('new')], [[], [document]]);
  });

  rule('a load leaves out what is not there, ids that are no UUID included', async ({ stores }) => {
    await save(stores, [{ value: 'a', tlp: 'RED' }]);
    const ids = [idOf('a'), idOf('nowhere'), '', "'; drop table indicator", idOf('a').slice(1)];
    assert.deepEqual([...(await stores.write((tx) => tx.load(ids))).keys()], [idOf('a')]);
    for (const id of ids.slice(1)) {
      assert.equal(await stores.indicators.document(id, 'RED'), undefined);
      assert.equal(await stores.indicators.record(id, 'RED'), undefined);
    }
  });

  rule('an indicator is there at or below the ceiling, and does not exist above it', async ({ stores }) => {
    await save(
      stores,
      TLP_MARKINGS.map((tlp) => ({ value: tlp, tlp })),
    );
    for (const ceiling of TLP_MARKINGS) {
      for (const tlp of TLP_MARKINGS) {
        const context = `${tlp} for a reader up to ${ceiling}`;
        const visible = isVisible(tlp, ceiling);
        assert.equal((await stores.indicators.document(idOf(tlp), ceiling)) !== undefined, visible, context);
        assert.equal((await stores.indicators.record(idOf(tlp), ceiling)) !== undefined, visible, context);
      }
    }
  });

  rule('the values of all views are read, whatever their markings', async ({ stores }) => {
    const written = TLP_MARKINGS.slice(1).map((tlp) => ({ value: `${tlp}.example`, tlp, tags: ['a', 'b'] }));
    await save(stores, written);
    const read = [];
    for await (const view of stores.indicators.values()) read.push(view);
    assert.deepEqual(
      read,
      written.map(({ value, tlp }) => ({
        indicatorId: idOf(value),
        marking: tlp,
        value: value.toLowerCase(),
      })),
    );
  });

  rule('the creation instant is now, and never before the newest indicator', async ({ stores }) => {
    const creation = (now: number) => stores.write((tx) => tx.creationInstant(now));
    assert.equal(await creation(NOW), NOW);
    await save(stores, [
      { value: 'a', createdAt: NOW },
      { value: 'b', createdAt: NOW + 5 },
    ]);
    // An update does not count as a creation.
    await save(stores, [{ value: 'a', createdAt: NOW, updatedAt: NOW + 60_000 }]);
    assert.equal(await creation(NOW), NOW + 5);
    assert.equal(await creation(NOW + 6), NOW + 6);
    const within = await stores.write(async (tx) => {
      await tx.save([aWrite({ value: 'c', createdAt: NOW + 9 })]);
      return tx.creationInstant(NOW);
    });
    assert.equal(within, NOW + 9);
  });
}
