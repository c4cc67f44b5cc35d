// Rules about added_after (TAXII 2.1 §3.4).

import { shown } from '../json-value.ts';
import { must, type Rule, should } from '../rule.ts';
import { datesOf, type ManifestRecord, recordOf, type Sample } from '../sample.ts';
import type { Survey } from '../survey.ts';
import { sortable } from '../timestamp.ts';
import { check, checkNone, needed, Untested } from '../violation.ts';
import { type Page, readPage } from '../walk.ts';
import { checkDateHeaders } from './listing.ts';

/** Short forms of one instant, as clients in the field send them. The form of §2 has six digits. */
const SHORT_FORMS = ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.000000000Z'];

/** The last instant that the form of §2 can express. */
const END_OF_TIME = '9999-12-31T23:59:59.999999Z';

export const addedAfterRules: readonly Rule[] = [
  must('5.4', 'objects: added_after is exclusive', async (survey) => {
    const after = await pageAfterPivot(survey, 'objects');
    const ids = after.page.items.map(({ id }) => id);
    const dates = datesOf(ids, after.sample);
    checkNone(
      earlyFaults(
        after,
        ids.map((id, at) => [id, dates[at]]),
      ),
    );
  }),

  must('5.4', 'objects: added_after leaves out nothing that came later', async (survey) => {
    checkNone(gapFaults(await pageAfterPivot(survey, 'objects')));
  }),

  must('5.3', 'manifest: added_after is exclusive', async (survey) => {
    const after = await pageAfterPivot(survey, 'manifest');
    const records = after.page.items.map(recordOf);
    checkNone(
      earlyFaults(
        after,
        records.map(({ id, date_added }) => [id, sortable(date_added)]),
      ),
    );
  }),

  must('5.3', 'manifest: added_after leaves out nothing that came later', async (survey) => {
    checkNone(gapFaults(await pageAfterPivot(survey, 'manifest')));
  }),

  must('3.4', 'added_after: the date of the last object leaves nothing', async (survey) => {
    const { records, complete } = await survey.sample();
    if (!complete) throw new Untested('the collection is longer than the part that is read');
    const { date_added } = needed(records.at(-1), 'the collection is empty');
    const { items, more } = await readPage(survey.http, survey.paths().objects, { added_after: date_added });
    check(items.length === 0 && !more, `${items.length} objects after ${date_added}, more is ${more}`);
  }),

  must('3.2', 'added_after: at the end of time the headers keep their form', async (survey) => {
    for (const path of [survey.paths().objects, survey.paths().manifest]) {
      const { answer, items } = await readPage(survey.http, path, { added_after: END_OF_TIME });
      checkDateHeaders(answer);
      check(items.length === 0, `${answer.request}: ${items.length} objects`);
    }
  }),

  should('3.4', 'added_after: is understood with any number of digits', async (survey) => {
    for (const added_after of SHORT_FORMS)
      await readPage(survey.http, survey.paths().objects, { added_after, limit: '1' });
  }),
];

interface PageAfter {
  readonly sample: Sample;
  readonly pivot: ManifestRecord;
  readonly page: Page;
}

/** A page that begins after a record in the middle of the sample. */
async function pageAfterPivot(survey: Survey, listing: 'objects' | 'manifest'): Promise<PageAfter> {
  const sample = await survey.sample();
  const { records } = sample;
  const pivot = records.length < 2 ? undefined : records[Math.floor((records.length - 1) / 2)];
  if (pivot === undefined) throw new Untested('fewer than two objects');
  const query = { added_after: pivot.date_added, limit: '20' };
  return { sample, pivot, page: await readPage(survey.http, survey.paths()[listing], query) };
}

function earlyFaults(
  { pivot }: PageAfter,
  items: readonly (readonly [id: unknown, date: string | undefined])[],
): string[] {
  return items
    .filter(([, date]) => date !== undefined && date <= sortable(pivot.date_added))
    .map(([id, date]) => `${shown(id)} of ${date} comes after ${pivot.date_added}`);
}

/** The manifest records between the pivot and the end of the page. Within one date the order is free. */
function gapFaults({ sample, pivot, page }: PageAfter): string[] {
  const found = new Set(page.items.map(({ id }) => id));
  const end = page.more ? (datesOf([page.items.at(-1)?.id], sample)[0] ?? '') : '9999';
  return sample.records
    .filter(({ id, date_added }) => {
      const date = sortable(date_added);
      return date > sortable(pivot.date_added) && date < end && !found.has(id);
    })
    .map(({ id, date_added }) => `${id} of ${date_added} does not come after ${pivot.date_added}`);
}
