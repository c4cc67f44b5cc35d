// Rules about limit, more and next (TAXII 2.1 §3.4, §3.5).

import { canonical, type JsonObject, shown } from '../json-value.ts';
import { must, type Rule, should } from '../rule.ts';
import { datesOf, type ManifestRecord, recordOf, type Sample } from '../sample.ts';
import type { Survey } from '../survey.ts';
import { sortable } from '../timestamp.ts';
import { check, checkNone, needed, Untested } from '../violation.ts';
import { byLast, checkGoesOn, readPage, urlOf, type Walk, walk } from '../walk.ts';

/** Pages of a walk with a small limit. */
const STEPS = 12;

/** More than any server returns in one page. */
const HUGE = 1_000_000;

export const pagingRules: readonly Rule[] = [
  ...[1, 7, 100].flatMap((limit) => [
    must('3.4', `paging: limit ${limit} is not exceeded`, async (survey) => {
      const { items } = await readPage(survey.http, survey.paths().objects, { limit: String(limit) });
      check(items.length <= limit, `${items.length} objects`);
    }),

    must('3.5', `paging: in steps of ${limit} every object comes once, in order`, async (survey) => {
      const sample = await survey.sample();
      checkWalk(sample, await walkIn(survey, limit));
    }),
  ]),

  must('3.4', 'paging: a huge limit is answered, in order', async (survey) => {
    const sample = await survey.sample();
    // The server may send everything, so this is only asked of a collection known to be small.
    const limit = sample.complete ? HUGE : Math.max(survey.options.limit, 1_000);
    const { items, more } = await readPage(survey.http, survey.paths().objects, { limit: String(limit) });
    checkSame(sample, idsOf(items), !more);
  }),

  must('5.3', 'paging: the manifest in steps of 7 has every record once, in order', async (survey) => {
    const sample = await survey.sample();
    checkWalk(sample, await walk(survey.http, survey.paths().manifest, { limit: '7' }, 7 * STEPS));
  }),

  must('3.4', 'paging: next goes on within added_after and match', async (survey) => {
    const [pivot, ...expected] = rarestType(await survey.sample());
    const query = { added_after: pivot.date_added, 'match[type]': typeOf(pivot.id), limit: '1' };
    const { items } = await walk(survey.http, survey.paths().manifest, query, 4);
    const found = items.map(recordOf).map(({ date_added }) => sortable(date_added));
    const due = expected.slice(0, 4).map(({ date_added }) => sortable(date_added));
    check(
      canonical(found) === canonical(due),
      `${typeOf(pivot.id)} added after ${pivot.date_added}: ${shown(found)}, not ${shown(due)}`,
    );
  }),

  should('3.5', 'paging: a page is full as long as more is true', async (survey) => {
    const { pages } = await walkIn(survey, 7);
    checkNone(
      pages
        .filter(({ items, more }) => more && items.length < 7)
        .map(({ answer, items }) => `${answer.request}: ${items.length} of 7 objects`),
    );
  }),

  should('3.5', 'paging: next comes wherever more is true', async (survey) => {
    const { pages } = await walkIn(survey, 7);
    checkNone(
      pages.filter(({ more, next }) => more && next === undefined).map(({ answer }) => answer.request),
    );
  }),

  // A client repeats a request after a broken connection. Reading is safe and changes nothing (RFC 9110 §9.2.1).
  should('3.5', 'paging: the same next gives the same page again', async (survey) => {
    const next = await someNext(survey);
    const path = urlOf(survey.paths().objects, { limit: '3', next });
    const once = (await survey.http.send(path)).object();
    const again = (await survey.http.send(path)).object();
    check(canonical(once.objects) === canonical(again.objects), `${path}: the second answer differs`);
  }),

  // Some clients send `next` alone.
  should('3.5', 'paging: next alone goes on with the walk', async (survey) => {
    const { records } = await survey.sample();
    const query = { limit: '2', 'match[type]': typeOf(records.at(-1)?.id) };
    const first = await readPage(survey.http, survey.paths().objects, query);
    const next = needed(first.next, 'the listing has one page only');
    const expected = await readPage(survey.http, survey.paths().objects, { ...query, next });
    const alone = await readPage(survey.http, survey.paths().objects, { next, limit: '2' });
    check(canonical(idsOf(alone.items)) === canonical(idsOf(expected.items)), 'it gives other objects');
  }),

  // Some clients ignore `next`.
  should('3.5', 'paging: added_after from the Last header alone finds every object once', async (survey) => {
    const sample = await survey.sample();
    checkWalk(sample, await walk(survey.http, survey.paths().objects, { limit: '7' }, 7 * STEPS, byLast));
  }),

  must('3.4', 'paging: a next that was made up is 400', async (survey) => {
    const query = { limit: '3', next: 'conformance suite: no such page' };
    (await survey.http.send(urlOf(survey.paths().objects, query))).expect(400);
  }),

  // Appendix B: a server must not trust what a client sends back.
  should('B', 'paging: a next that was altered is 400', async (survey) => {
    const next = await someNext(survey);
    const query = { limit: '3', next: altered(next) };
    (await survey.http.send(urlOf(survey.paths().objects, query))).expect(400);
  }),
];

function walkIn(survey: Survey, limit: number) {
  return walk(survey.http, survey.paths().objects, { limit: String(limit) }, limit * STEPS);
}

async function someNext(survey: Survey): Promise<string> {
  const { next } = await readPage(survey.http, survey.paths().objects, { limit: '3' });
  return needed(next, 'the listing has one page only, or gives no next');
}

function checkWalk(sample: Sample, walked: Walk): void {
  checkGoesOn(walked);
  checkSame(sample, idsOf(walked.items), walked.complete);
}

/**
 * The ids are the first ids of the sample, each once, and all of them if the listing has ended. Objects with the same
 * date may come in any order.
 */
function checkSame(sample: Sample, ids: readonly unknown[], ended: boolean): void {
  const expected = sample.records.slice(0, ids.length);
  if (sample.records.length === 0) throw new Untested('the collection is empty');
  checkNone([
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${shown(id)} comes twice`),
    ...differences(datesOf(ids, sample), expected),
    ...(ended && sample.complete && ids.length < sample.records.length
      ? [`${ids.length} objects of ${sample.records.length}`]
      : []),
  ]);
}

function differences(
  dates: readonly (string | undefined)[],
  expected: readonly { readonly id: string; readonly date_added: string }[],
): readonly string[] {
  const at = expected.findIndex(({ date_added }, index) => dates[index] !== sortable(date_added));
  return at < 0 ? [] : [`object ${at + 1} is not ${expected[at]?.id}`];
}

/** The records of the rarest type with enough records for a walk. Objects of other types lie between them. */
function rarestType({ records }: Sample): readonly [ManifestRecord, ...ManifestRecord[]] {
  const types = [...new Set(records.map(({ id }) => typeOf(id)))];
  const [rarest] = types
    .map((type) => records.filter(({ id }) => typeOf(id) === type))
    .filter(({ length }) => length >= 3)
    .sort((a, b) => a.length - b.length);
  const [first, ...others] = rarest ?? [];
  return [needed(first, 'fewer than three objects of any type'), ...others];
}

function idsOf(items: readonly (JsonObject | { readonly id: string })[]): readonly unknown[] {
  return items.map(({ id }) => id);
}

function typeOf(id: string | undefined): string {
  return needed(id, 'the collection is empty').replace(/--.*/, '');
}

/** Replaces one character in the middle. */
function altered(next: string): string {
  const at = Math.floor(next.length / 2);
  const other = next[at] === 'A' ? 'B' : 'A';
  return next.slice(0, at) + other + next.slice(at + 1);
}
