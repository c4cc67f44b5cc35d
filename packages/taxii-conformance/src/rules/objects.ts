// Rules about Get Objects and its envelope (TAXII 2.1 §3.2, §3.7, §5.4).

import { shown } from '../json-value.ts';
import { must, type Rule, should } from '../rule.ts';
import { datesOf } from '../sample.ts';
import { check, checkNone, needed } from '../violation.ts';
import { checkGoesOn, readPage, walk } from '../walk.ts';
import { checkDateHeaders, checkDates, FAR_FUTURE, pageFaults } from './listing.ts';

export const objectsRules: readonly Rule[] = [
  must('5.4', 'objects: answer 200 with an envelope', async (survey) => {
    const { http, options } = survey;
    const { pages } = await walk(http, survey.paths().objects, { limit: '100' }, options.limit);
    const type = pages.map(({ answer }) => answer.object().type).find((found) => found !== undefined);
    check(type === undefined, `it has a type, ${shown(type)}: a bundle is no envelope`);
  }),

  must('3.7.1', 'objects: more is true or false, next is a text', async (survey) => {
    checkNone(pageFaults((await survey.sample()).walk.pages));
  }),

  should('3.7.1', 'objects: next comes only where more is true', async (survey) => {
    const { pages } = (await survey.sample()).walk;
    checkNone(
      pages.filter(({ more, next }) => !more && next !== undefined).map(({ answer }) => answer.request),
    );
  }),

  must('3.2', 'objects: have both X-TAXII-Date-Added headers, with six digits', async (survey) => {
    for (const { answer } of (await survey.sample()).walk.pages) checkDateHeaders(answer);
  }),

  must('3.2', 'objects: the headers are the dates of the first and last object', async (survey) => {
    const sample = await survey.sample();
    for (const { answer, items } of sample.walk.pages) {
      const dates = datesOf(
        items.map(({ id }) => id),
        sample,
      );
      checkDates(answer, dates);
    }
  }),

  must('3.7.1', 'objects: an empty page has no list', async (survey) => {
    const page = await readPage(survey.http, survey.paths().objects, { added_after: FAR_FUTURE });
    const { objects } = page.answer.object();
    check(
      objects === undefined,
      `objects is ${shown(objects)}, where nothing was added later than ${FAR_FUTURE}`,
    );
  }),

  must('3.2', 'objects: an empty page has both headers', async (survey) => {
    const page = await readPage(survey.http, survey.paths().objects, { added_after: FAR_FUTURE });
    checkDateHeaders(page.answer);
  }),

  must('5.4', 'objects: ascend by the date they were added', async (survey) => {
    const sample = await survey.sample();
    const ids = sample.objects.map(({ id }) => id);
    const dates = datesOf(ids, sample);
    checkNone(
      ids.flatMap((id, at) => {
        const before = dates[at - 1];
        const date = dates[at];
        return before !== undefined && date !== undefined && before > date
          ? [`${shown(id)} of ${date} comes after one of ${before}`]
          : [];
      }),
    );
  }),

  must('5.4', 'objects: are those of the manifest, each once', async (survey) => {
    const { objects, records, walk: walked, manifestWalk } = await survey.sample();
    checkGoesOn(walked);
    checkGoesOn(manifestWalk);
    needed(records[0], 'the collection is empty');
    const ids = objects.map(({ id }) => id);
    const listed = records.map(({ id }) => id);
    checkNone([
      ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${shown(id)} comes twice`),
      ...listed.filter((id) => !ids.includes(id)).map((id) => `${id} is in the manifest only`),
      ...ids.filter((id) => !listed.includes(String(id))).map((id) => `${shown(id)} is in the objects only`),
    ]);
  }),
];
