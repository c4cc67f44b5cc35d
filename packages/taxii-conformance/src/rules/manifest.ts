// Rules about the manifest (TAXII 2.1 §5.3).

import { isText, shown } from '../json-value.ts';
import { must, type Rule } from '../rule.ts';
import { recordOf } from '../sample.ts';
import { isTaxiiTimestamp, sortable } from '../timestamp.ts';
import { check, checkNone, needed } from '../violation.ts';
import { checkGoesOn, readPage, walk } from '../walk.ts';
import { checkDateHeaders, checkDates, FAR_FUTURE, pageFaults } from './listing.ts';

export const manifestRules: readonly Rule[] = [
  must('5.3', 'manifest: answers 200 with a manifest', async (survey) => {
    const { http, options } = survey;
    const { items } = await walk(http, survey.paths().manifest, { limit: '100' }, options.limit);
    for (const item of items) recordOf(item);
  }),

  must('5.3.1', 'manifest: each date_added has six digits', async (survey) => {
    const { manifestWalk } = await survey.sample();
    checkNone(
      manifestWalk.items
        .filter(({ date_added }) => !isTaxiiTimestamp(date_added))
        .map(({ id, date_added }) => `${shown(id)}: ${shown(date_added)}`),
    );
  }),

  must('5.3.1', 'manifest: media_type, where it is given, is one of the collection', async (survey) => {
    const { manifestWalk } = await survey.sample();
    const { media_types: listed } = survey.listed.find(({ id }) => id === survey.collection) ?? {};
    const known = Array.isArray(listed) ? listed.map(compact) : ['application/stix+json'];
    const given = [...new Set(manifestWalk.items.map(({ media_type }) => media_type))].filter(
      (type) => type !== undefined,
    );
    // A collection without media types may hold STIX of any version (§5.2.1).
    const fits = (type: unknown) => isText(type) && known.some((name) => compact(type).startsWith(name));
    checkNone(
      given.filter((type) => !fits(type)).map((type) => `${shown(type)}, the collection has ${known}`),
    );
  }),

  must('3.7.1', 'manifest: more is true or false', async (survey) => {
    checkNone(pageFaults((await survey.sample()).manifestWalk.pages));
  }),

  must('5.3', 'manifest: ascends by date_added', async (survey) => {
    const { records } = await survey.sample();
    checkNone(
      records.flatMap(({ id, date_added }, at) => {
        const before = records[at - 1]?.date_added;
        return before !== undefined && sortable(before) > sortable(date_added)
          ? [`${id} of ${date_added} comes after one of ${before}`]
          : [];
      }),
    );
  }),

  must('3.2', 'manifest: has both X-TAXII-Date-Added headers, with six digits', async (survey) => {
    for (const { answer } of (await survey.sample()).manifestWalk.pages) checkDateHeaders(answer);
  }),

  must('3.2', 'manifest: the headers are the dates of its first and last record', async (survey) => {
    for (const { answer, items } of (await survey.sample()).manifestWalk.pages) {
      checkDates(
        answer,
        items.map((item) => sortable(recordOf(item).date_added)),
      );
    }
  }),

  must('5.3.1', 'manifest: an empty page has no list', async (survey) => {
    const page = await readPage(survey.http, survey.paths().manifest, { added_after: FAR_FUTURE });
    const { objects } = page.answer.object();
    check(objects === undefined, `objects is ${shown(objects)}`);
  }),

  must('3.2', 'manifest: an empty page has both headers', async (survey) => {
    checkDateHeaders(
      (await readPage(survey.http, survey.paths().manifest, { added_after: FAR_FUTURE })).answer,
    );
  }),

  must('5.3.1', 'manifest: with all versions it has one record for each', async (survey) => {
    const { records, complete } = await survey.sample();
    needed(records[0], 'the collection is empty');
    const query = { limit: '100', 'match[version]': 'all' };
    const walked = await walk(survey.http, survey.paths().manifest, query, survey.options.limit);
    checkGoesOn(walked);
    const { items } = walked;
    const keys = items.map(recordOf).map(({ id, version }) => `${id} of ${version}`);
    checkNone([
      ...keys.filter((key, at) => keys.indexOf(key) !== at).map((key) => `${key} comes twice`),
      ...(complete && items.length < survey.options.limit
        ? records
            .map(({ id, version }) => `${id} of ${version}`)
            .filter((key) => !keys.includes(key))
            .map((key) => `${key} is missing`)
        : []),
    ]);
  }),
];

/** Media types are compared without white space. */
function compact(type: unknown): string {
  return String(type).replace(/\s/g, '').toLowerCase();
}
