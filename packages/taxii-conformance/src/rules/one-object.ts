// Rules about one object and its versions (TAXII 2.1 §5.6, §5.8).

import { randomUUID } from 'node:crypto';
import { canonical, shown } from '../json-value.ts';
import { must, type Rule, should } from '../rule.ts';
import { type ManifestRecord, recordOf } from '../sample.ts';
import type { Survey } from '../survey.ts';
import { isUtcTimestamp, sortable } from '../timestamp.ts';
import { check, checkNone, needed } from '../violation.ts';
import { listOf, readPage } from '../walk.ts';
import { checkDateHeaders } from './listing.ts';

/** A version that no object has. */
const NEVER = '1970-01-01T00:00:00.001Z';

export const oneObjectRules: readonly Rule[] = [
  must('5.6', 'object: by its id it comes alone, and as in the objects', async (survey) => {
    const { id } = await someRecord(survey);
    const { objects } = await survey.sample();
    const { items, answer } = await readPage(survey.http, survey.paths().object(id));
    check(items.length === 1, `${answer.request}: ${items.length} objects`);
    const [found] = items;
    const listed = objects.find((object) => object.id === id);
    check(
      listed === undefined || canonical(found) === canonical(listed),
      `${id}: it differs from the one listed`,
    );
  }),

  must('3.2', 'object: has both X-TAXII-Date-Added headers, with six digits', async (survey) => {
    const { id } = await someRecord(survey);
    checkDateHeaders((await readPage(survey.http, survey.paths().object(id))).answer);
  }),

  must('5.6', 'object: an unknown one is 404', async ({ http, paths }) => {
    (await http.send(paths().object(`indicator--${randomUUID()}`))).expect(404);
  }),

  must('5.6', 'object: where the filter excludes it, the envelope is empty', async (survey) => {
    const { id } = await someRecord(survey);
    const path = survey.paths().object(id);
    const { answer } = await readPage(survey.http, path, { 'match[version]': NEVER });
    const { objects } = answer.object();
    check(objects === undefined, `${answer.request}: objects is ${shown(objects)}`);
  }),

  must('5.8', 'versions: answer 200 with the versions of the object', async (survey) => {
    const { id, version } = await someRecord(survey);
    const versions = (await versionsOf(survey, id)).map(String);
    check(
      versions.map(sortable).includes(sortable(version)),
      `${id}: ${shown(versions)} lacks ${version} of the manifest`,
    );
  }),

  must('5.8.1', 'versions: each is a timestamp, and comes once', async (survey) => {
    const { id } = await someRecord(survey);
    const versions = await versionsOf(survey, id);
    checkNone([
      ...versions.filter((version) => !isUtcTimestamp(version)).map((version) => `${shown(version)} is none`),
      ...versions
        .filter((version, at) => versions.indexOf(version) !== at)
        .map((version) => `${shown(version)} is there twice`),
    ]);
  }),

  must('3.2', 'versions: have both X-TAXII-Date-Added headers, with six digits', async (survey) => {
    const { id } = await someRecord(survey);
    checkDateHeaders((await survey.http.send(survey.paths().versions(id))).expect(200));
  }),

  must('5.8', 'versions: are those that the manifest lists', async (survey) => {
    const { id } = await someRecord(survey);
    const query = { 'match[id]': id, 'match[version]': 'all' };
    const { items, more } = await readPage(survey.http, survey.paths().manifest, query);
    needed(more ? undefined : true, 'there are too many');
    const listed = items.map((item) => sortable(recordOf(item).version)).sort();
    const versions = (await versionsOf(survey, id)).map((version) => sortable(String(version))).sort();
    check(canonical(versions) === canonical(listed), `${id}: ${shown(versions)}, not ${shown(listed)}`);
  }),

  should('5.8', 'versions: ascend, as the headers do', async (survey) => {
    const { id } = await someRecord(survey);
    const versions = (await versionsOf(survey, id)).map((version) => sortable(String(version)));
    check(canonical(versions) === canonical([...versions].sort()), `${id}: ${shown(versions)}`);
  }),

  must('5.8', 'versions: of an unknown object are 404', async ({ http, paths }) => {
    (await http.send(paths().versions(`indicator--${randomUUID()}`))).expect(404);
  }),

  must('4.3', 'status: an unknown one is 404', async ({ http, root }) => {
    (await http.send(`${root}status/${randomUUID()}/`)).expect(404);
  }),
];

/** The object that was added last: it has often been changed, so it is likely to have several versions. */
async function someRecord(survey: Survey): Promise<ManifestRecord> {
  const { records } = await survey.sample();
  return needed(records.at(-1), 'the collection is empty');
}

async function versionsOf(survey: Survey, id: string): Promise<readonly unknown[]> {
  return listOf(await survey.http.send(survey.paths().versions(id)), 'versions');
}
