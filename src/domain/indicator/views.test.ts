import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CEILINGS, EVERYBODY, NOBODY, readersOf } from '../audience.ts';
import { isVisible } from '../tlp.ts';
import type { IndicatorRecord } from './indicator.ts';
import { advance } from './lifecycle.ts';
import { mergeObservation } from './merge.ts';
import { anyObservation, observation } from './observation.test-support.ts';
import type { Observation } from './sensor-event.ts';
import { audiencesOf, marked, type Views, viewFor, withReport } from './views.ts';
import { withdrawn } from './withdrawal.ts';

const SEED = 20_260_314;
const FIRST = Date.UTC(2026, 2, 14);

/** The instant at which a report is merged. */
function contextOf(number: number) {
  const now = FIRST + number;
  return { id: '00000000-0000-4000-8000-000000000000', now, createdAt: now };
}

function viewsOf(reports: readonly Observation[]): Views {
  return reports.reduce<Views>((views, report, number) => withReport(views, report, contextOf(number)), []);
}

const arbitraryReports = fc.array(
  fc.tuple(anyObservation, fc.constantFrom(...CEILINGS)).map(([report, tlp]) => ({ ...report, tlp })),
  { maxLength: 12 },
);

test('the view of a reader is the record of the reports that he may see', () => {
  const property = fc.property(arbitraryReports, (reports) => {
    const views = viewsOf(reports);
    for (const ceiling of CEILINGS) {
      let expected: IndicatorRecord | undefined;
      reports.forEach((report, number) => {
        if (isVisible(report.tlp, ceiling)) expected = mergeObservation(expected, report, contextOf(number));
      });
      assert.deepEqual(viewFor(views, ceiling), expected, ceiling);
    }
  });
  fc.assert(property, { seed: SEED, numRuns: 500 });
});

test('there is one view for each marking, and each reader has one view at most', () => {
  const property = fc.property(arbitraryReports, (reports) => {
    const views = viewsOf(reports);
    const markings = CEILINGS.filter((marking) => reports.some(({ tlp }) => tlp === marking));
    assert.deepEqual(
      views.map(({ indicator }) => indicator.tlp),
      markings,
    );
    let together = NOBODY;
    for (const audience of audiencesOf(views)) {
      assert.equal(together & audience, NOBODY);
      together |= audience;
    }
    assert.equal(together, markings[0] === undefined ? NOBODY : readersOf(markings[0]));
  });
  fc.assert(property, { seed: SEED });
});

test('marked anew, an indicator has one view of all reports, and a verdict on any view counts', () => {
  const [below, above] = viewsOf([
    observation({ tlp: 'GREEN' }),
    observation({ tlp: 'AMBER', tags: ['more'] }),
  ]);
  assert.ok(below !== undefined && above !== undefined);
  const enriched = (view: IndicatorRecord) =>
    advance(advance(view, 'SCORED', FIRST, 'pipeline'), 'ENRICHED', FIRST, 'pipeline');
  const views = [advance(enriched(below), 'VERIFIED', FIRST, 'ann'), enriched(above)];
  const raised = marked(views, 'RED', FIRST + 9);
  assert.deepEqual(raised?.view.indicator.tags, ['more']);
  assert.equal(raised?.view.indicator.tlp, 'RED');
  assert.equal(raised?.view.indicator.state, 'VERIFIED');
  assert.equal(raised?.view.history.at(-1)?.actor, 'ann');
  assert.deepEqual(
    raised?.lost.map(({ audience }) => audience),
    [readersOf('GREEN', 'AMBER'), readersOf('AMBER', 'RED')],
  );
  const lowered = marked(views, 'CLEAR', FIRST + 9);
  assert.deepEqual(lowered?.lost, []);
  for (const view of views) assert.ok(Number(lowered?.view.indicator.updatedAt) > view.indicator.updatedAt);
  assert.equal(lowered && marked([lowered.view], 'CLEAR', FIRST + 9), undefined);
});

test('a report without a marking is RED', () => {
  const views = viewsOf([observation({ tlp: 'UNSPECIFIED' })]);
  assert.deepEqual(audiencesOf(views), [readersOf('RED')]);
  assert.equal(viewFor(views, 'AMBER_STRICT'), undefined);
});

test('a view that is made after a withdrawal is withdrawn from its start', () => {
  const [first] = viewsOf([observation({ tlp: 'AMBER' })]);
  assert.ok(first !== undefined);
  for (const tlp of ['CLEAR', 'RED'] as const) {
    const views = withReport([withdrawn(first, FIRST + 5)], observation({ tlp }), contextOf(9));
    assert.ok(views.every(({ revokedAt }) => revokedAt !== undefined));
  }
  // A reader who had not seen the indicator does not learn when it was withdrawn.
  const [below] = withReport([withdrawn(first, FIRST + 5)], observation({ tlp: 'CLEAR' }), contextOf(9));
  assert.equal(below?.revokedAt, FIRST + 9);
  assert.equal(audiencesOf([first])[0], EVERYBODY & ~readersOf('CLEAR', 'AMBER'));
});
