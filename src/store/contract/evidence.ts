// Rules of kept evidence: who finds it, and when it goes.

import assert from 'node:assert/strict';
import { readersOf } from '../../domain/audience.ts';
import { seenValues } from '../../domain/evidence/kept-evidence.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import type { EvidenceWrite, IndicatorWrite } from '../indicators.ts';
import type { Stores } from '../stores.ts';
import { aRecord, aWrite, idOf, NOW, someEvidence } from './fixtures.ts';
import type { Rule } from './rule.ts';

export function describeEvidence(rule: Rule): void {
  rule('a reader finds the evidence of all markings up to his ceiling', async ({ stores }) => {
    await saveViews(stores);
    await stores.write((tx) => tx.saveEvidence([of('GREEN', 'ls'), of('AMBER_STRICT', 'rm')]));
    assert.equal(await commands(stores, 'CLEAR'), undefined);
    assert.deepEqual(await commands(stores, 'GREEN'), ['ls']);
    assert.deepEqual(await commands(stores, 'AMBER'), ['ls']);
    assert.deepEqual(await commands(stores, 'RED'), ['ls', 'rm']);
    assert.equal(await commands(stores, 'RED', 'b'), undefined);
    assert.equal(await stores.indicators.evidence('no id', 'RED'), undefined);
  });

  rule('evidence may have a marking that no view has, and stays with the indicator', async ({ stores }) => {
    await stores.write((tx) => tx.save([viewOf('GREEN')]));
    await stores.write((tx) => tx.saveEvidence([of('AMBER', 'id'), of('CLEAR', 'nobody sees it')]));
    assert.deepEqual(await commands(stores, 'GREEN'), []);
    assert.deepEqual(await commands(stores, 'AMBER'), ['id']);
    // A view between them takes the place of the view below, so the evidence is found from there too.
    await stores.write((tx) =>
      tx.save([{ ...viewOf('AMBER'), madeFrom: 'GREEN' }, viewOf('GREEN', 'AMBER'), viewOf('RED')]),
    );
    await stores.write((tx) => tx.saveEvidence([of('AMBER', 'whoami')]));
    assert.deepEqual(await commands(stores, 'RED'), ['whoami']);
    assert.equal((await load(stores))?.size, 1);
  });

  rule(
    'a write replaces the evidence of one marking, and a load gives all of them',
    async ({ reopen, stores }) => {
      await saveViews(stores);
      await stores.write((tx) => tx.saveEvidence([of('GREEN', 'ls'), of('AMBER_STRICT', 'rm')]));
      await stores.write((tx) => tx.saveEvidence([of('GREEN', 'pwd')]));
      const again = await reopen();
      assert.deepEqual(
        await load(again),
        new Map([
          ['GREEN', someEvidence('pwd')],
          ['AMBER_STRICT', someEvidence('rm')],
        ]),
      );
    },
  );

  rule('evidence goes with its view, and with its indicator', async ({ stores, driver }) => {
    await saveViews(stores);
    await stores.write((tx) =>
      tx.saveEvidence([of('GREEN', 'ls'), of('AMBER', 'id'), of('AMBER_STRICT', 'rm')]),
    );
    await stores.write((tx) => tx.removeViews(idOf('a'), ['AMBER_STRICT']));
    assert.deepEqual(await commands(stores, 'GREEN'), ['ls']);
    await stores.write((tx) => tx.archive([{ record: aRecord({ value: 'a', tlp: 'GREEN' }) }], NOW));
    assert.equal(await commands(stores, 'RED'), undefined);
    assert.deepEqual(
      [...((await load(stores)) ?? [])].map(([marking]) => marking),
      ['AMBER'],
    );
    // Nobody sees it, so nothing is added.
    await stores.write((tx) => tx.saveEvidence([of('GREEN', 'ls')]));
    await stores.write((tx) => tx.save([viewOf('GREEN')]));
    assert.deepEqual(await commands(stores, 'RED'), ['id']);
    await stores.write((tx) => tx.removeEvidence(idOf('a')));
    assert.deepEqual(await commands(stores, 'RED'), []);
    const { problems } = await driver.maintenance.check();
    assert.deepEqual(
      problems.filter(({ rule }) => rule.startsWith('evidence')),
      [],
    );
  });

  rule('of a change that failed no evidence is kept', async ({ stores }) => {
    await stores.write((tx) => tx.save([viewOf('GREEN')]));
    const failed = stores.write(async (tx) => {
      await tx.saveEvidence([of('GREEN', 'ls')]);
      throw new Error('refused');
    });
    await assert.rejects(failed);
    assert.deepEqual(await commands(stores, 'RED'), []);
  });
}

function viewOf(tlp: TlpMarking, next?: TlpMarking): IndicatorWrite {
  return { ...aWrite({ value: 'a', tlp }), audience: readersOf(tlp, next) };
}

function saveViews(stores: Stores): Promise<void> {
  return stores.write((tx) => tx.save([viewOf('GREEN', 'AMBER_STRICT'), viewOf('AMBER_STRICT')]));
}

function of(marking: TlpMarking, command: string): EvidenceWrite {
  return { indicatorId: idOf('a'), marking, evidence: someEvidence(command) };
}

async function load(stores: Stores) {
  return (await stores.write((tx) => tx.loadEvidence([idOf('a')]))).get(idOf('a'));
}

async function commands(stores: Stores, ceiling: TlpMarking, value = 'a'): Promise<string[] | undefined> {
  const kept = await stores.indicators.evidence(idOf(value), ceiling);
  return kept
    ?.flatMap(({ seen }) => seenValues(seen))
    .flatMap(({ values }) => values.map((one) => one.value))
    .toSorted();
}
