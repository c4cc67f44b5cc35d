// Rules about the match filters (TAXII 2.1 §3.4, §3.4.1).

import { randomUUID } from 'node:crypto';
import { canonical, type JsonObject, shown } from '../json-value.ts';
import { must, type Rule, should } from '../rule.ts';
import { type ManifestRecord, recordOf, type Sample } from '../sample.ts';
import type { Survey } from '../survey.ts';
import { isUtcTimestamp, sortable } from '../timestamp.ts';
import { check, checkNone, needed, Untested } from '../violation.ts';
import { checkGoesOn, type Query, readPage, urlOf, walk } from '../walk.ts';

export const matchRules: readonly Rule[] = [
  must('3.4.1', 'match[id]: finds one object', async (survey) => {
    const { id } = await someRecord(survey);
    checkIds(await foundBy(survey, { 'match[id]': id }), [id]);
  }),

  must('3.4', 'match[id]: a comma means "or"', async (survey) => {
    const [one, two] = await twoRecords(survey);
    checkIds(await foundBy(survey, { 'match[id]': `${one.id},${two.id}` }), [one.id, two.id]);
  }),

  must('3.4.1', 'match[id]: an unknown one finds nothing', async (survey) => {
    checkIds(await foundBy(survey, { 'match[id]': `indicator--${randomUUID()}` }), []);
  }),

  must('3.4.1', 'match[type]: finds the objects of that type, and no others', async (survey) => {
    const sample = await survey.sample();
    const { id } = await someRecord(survey);
    const type = typeOf(id);
    checkTypes(sample, [type], await someOfTypes(survey, [type]));
  }),

  must('3.4', 'match[type]: a comma means "or"', async (survey) => {
    const sample = await survey.sample();
    const types = [...new Set(sample.records.map(({ id }) => typeOf(id)))].slice(0, 2);
    if (types.length < 2) throw new Untested('the collection has one type of objects only');
    checkTypes(sample, types, await someOfTypes(survey, types));
  }),

  must('3.4.1', 'match[type]: one that is not there finds nothing', async (survey) => {
    const { objects } = await survey.sample();
    const absent = ['course-of-action', 'opinion', 'email-message', 'windows-registry-key'];
    const type = absent.find((candidate) => objects.every((object) => object.type !== candidate));
    checkIds(await foundBy(survey, { 'match[type]': needed(type, 'every type is there') }), []);
  }),

  must('3.4', 'match: two fields mean "and"', async (survey) => {
    const { id } = await someRecord(survey);
    checkIds(await foundBy(survey, { 'match[id]': id, 'match[type]': typeOf(id) }), [id]);
    checkIds(await foundBy(survey, { 'match[id]': id, 'match[type]': 'course-of-action' }), []);
  }),

  must('3.4.1', 'match[version]: the last version is the default', async (survey) => {
    const versions = await allVersions(survey);
    const last = versions.at(-1);
    checkVersions(await versionsBy(survey, versions, undefined), [last]);
    checkVersions(await versionsBy(survey, versions, 'last'), [last]);
  }),

  must('3.4.1', 'match[version]: first', async (survey) => {
    const versions = await allVersions(survey);
    checkVersions(await versionsBy(survey, versions, 'first'), versions.slice(0, 1));
  }),

  must('3.4.1', 'match[version]: a timestamp finds that version', async (survey) => {
    const versions = await allVersions(survey);
    const [first] = versions;
    const version = needed(isUtcTimestamp(first?.version) ? first : undefined, 'the version is no timestamp');
    checkVersions(await versionsBy(survey, versions, version.version), [version]);
  }),

  must('3.4.1', 'match[version]: first,last finds both', async (survey) => {
    const versions = await allVersions(survey);
    const expected = versions.length > 1 ? [versions[0], versions.at(-1)] : versions;
    checkVersions(await versionsBy(survey, versions, 'first,last'), expected);
  }),

  must('3.4.1', 'match[version]: first and last have the same objects, each once', async (survey) => {
    const [first, last] = await firstAndLast(survey, 'objects');
    checkSameIds(idsOf(first), idsOf(last));
  }),

  must(
    '3.4.1',
    'match[version]: first and last have the same records in the manifest, each once',
    async (survey) => {
      const [first, last] = (await firstAndLast(survey, 'manifest')).map((items) => items.map(recordOf));
      checkSameIds(idsOf(first ?? []), idsOf(last ?? []));
      const lastOf = new Map(last?.map(({ id, version }) => [id, version]));
      checkNone(
        (first ?? [])
          .filter(({ id, version }) => sortable(version) > sortable(lastOf.get(id) ?? version))
          .map(({ id, version }) => `${id}: the first version, ${version}, is later than the last`),
      );
    },
  ),

  must('3.4.1', 'match[spec_version]: finds objects of that version of STIX', async (survey) => {
    const { objects } = await survey.sample();
    const { spec_version } = needed(
      objects.find((object) => object.spec_version === '2.1'),
      'no object says that it is STIX 2.1',
    );
    const found = await foundBy(survey, { 'match[spec_version]': String(spec_version) });
    check(found.length > 0, 'it finds nothing');
    checkNone(
      found
        .filter((object) => object.spec_version !== undefined && object.spec_version !== spec_version)
        .map((object) => `${shown(object.id)} is of ${shown(object.spec_version)}`),
    );
  }),

  must('3.4.1', 'match[spec_version]: 2.0 finds no object of STIX 2.1', async (survey) => {
    const found = await foundBy(survey, { 'match[spec_version]': '2.0' });
    checkNone(
      found.filter(({ spec_version }) => spec_version === '2.1').map(({ id }) => `${shown(id)} is of 2.1`),
    );
  }),

  must('5.3', 'match: filters the manifest like the objects', async (survey) => {
    const { id } = await someRecord(survey);
    const query = { 'match[type]': typeOf(id), limit: '20' };
    const objects = await readPage(survey.http, survey.paths().objects, query);
    const manifest = await readPage(survey.http, survey.paths().manifest, query);
    checkIds(
      objects.items,
      manifest.items.map((item) => recordOf(item).id),
    );
  }),

  must('RFC 3986 2.1', 'match: brackets may be percent-encoded or not', async (survey) => {
    const { id } = await someRecord(survey);
    const path = survey.paths().objects;
    const plain = (await survey.http.send(`${path}?match[id]=${id}`)).object();
    const encoded = (await survey.http.send(urlOf(path, { 'match[id]': id }))).object();
    check(canonical(plain.objects) === canonical(encoded.objects), 'the answers differ');
  }),

  should('3.4', 'match: an unknown field is passed over', async (survey) => {
    const query = { limit: '1', 'match[conformance]': 'x' };
    (await survey.http.send(urlOf(survey.paths().objects, query))).expect(200);
  }),

  should('3.4', 'match: an unknown parameter is passed over', async (survey) => {
    const query = { limit: '1', conformance: 'x' };
    (await survey.http.send(urlOf(survey.paths().objects, query))).expect(200);
  }),
];

async function someRecord(survey: Survey): Promise<ManifestRecord> {
  return needed((await survey.sample()).records.at(-1), 'the collection is empty');
}

async function twoRecords(survey: Survey): Promise<readonly [ManifestRecord, ManifestRecord]> {
  const { records } = await survey.sample();
  return [
    needed(records.length > 1 ? records[0] : undefined, 'fewer than two objects'),
    needed(records.at(-1), 'fewer than two objects'),
  ];
}

async function foundBy(survey: Survey, query: Query): Promise<readonly JsonObject[]> {
  const { items } = await readPage(survey.http, survey.paths().objects, { limit: '50', ...query });
  return items;
}

/** The versions of the object with the most versions, among the first objects of the manifest. */
async function allVersions(survey: Survey): Promise<readonly ManifestRecord[]> {
  await survey.sample();
  const query = { 'match[version]': 'all', limit: '100' };
  const { items } = await walk(survey.http, survey.paths().manifest, query, 500);
  const records = items.map(recordOf);
  const byId = new Map<string, ManifestRecord[]>();
  for (const record of records) byId.set(record.id, [...(byId.get(record.id) ?? []), record]);
  const [most] = [...byId.values()].sort((a, b) => b.length - a.length);
  const { id } = needed(most?.[0], 'the collection is empty');
  // Later versions may lie beyond the sample.
  const all = await readPage(survey.http, survey.paths().manifest, { ...query, 'match[id]': id });
  return all.items.map(recordOf).sort((a, b) => (sortable(a.version) < sortable(b.version) ? -1 : 1));
}

async function versionsBy(
  survey: Survey,
  versions: readonly ManifestRecord[],
  match: string | undefined,
): Promise<readonly ManifestRecord[]> {
  const query = {
    'match[id]': versions[0]?.id ?? '',
    ...(match === undefined ? {} : { 'match[version]': match }),
  };
  const { items } = await readPage(survey.http, survey.paths().manifest, query);
  return items.map(recordOf);
}

/** The whole listing, read both ways. */
async function firstAndLast(
  survey: Survey,
  listing: 'objects' | 'manifest',
): Promise<readonly [readonly JsonObject[], readonly JsonObject[]]> {
  await survey.sample();
  const all = async (version: string) => {
    const query = { 'match[version]': version, limit: '100' };
    const walked = await walk(survey.http, survey.paths()[listing], query, survey.options.limit);
    checkGoesOn(walked);
    if (!walked.complete) throw new Untested('the collection is longer than the part that is read');
    return walked.items;
  };
  const last = await all('last');
  needed(last[0], 'the collection is empty');
  return [await all('first'), last];
}

function idsOf(items: readonly { readonly id?: unknown }[]): readonly string[] {
  return items.map(({ id }) => String(id));
}

function checkSameIds(first: readonly string[], last: readonly string[]): void {
  const [inFirst, inLast] = [new Set(first), new Set(last)];
  checkNone([
    ...first.filter((id, at) => first.indexOf(id) !== at).map((id) => `${id} comes twice by first`),
    ...last.filter((id, at) => last.indexOf(id) !== at).map((id) => `${id} comes twice by last`),
    ...last.filter((id) => !inFirst.has(id)).map((id) => `${id} has a last version and no first one`),
    ...first.filter((id) => !inLast.has(id)).map((id) => `${id} has a first version and no last one`),
  ]);
}

function checkVersions(
  found: readonly ManifestRecord[],
  expected: readonly (ManifestRecord | undefined)[],
): void {
  const text = (records: typeof expected) => records.map((record) => sortable(record?.version ?? '')).sort();
  check(
    canonical(text(found)) === canonical(text(expected)),
    `${expected[0]?.id}: ${shown(text(found))}, not ${shown(text(expected))}`,
  );
}

/** The same objects, in any order. */
function checkIds(found: readonly JsonObject[], expected: readonly string[]): void {
  const ids = found.map(({ id }) => String(id)).sort();
  check(canonical(ids) === canonical([...expected].sort()), `${shown(ids)}, not ${shown(expected)}`);
}

async function someOfTypes(survey: Survey, types: readonly string[]): Promise<readonly JsonObject[]> {
  const query = { 'match[type]': types.join(','), limit: '50' };
  return (await walk(survey.http, survey.paths().objects, query, 50)).items;
}

/** The objects of the sample come first, and none has another type. */
function checkTypes(sample: Sample, types: readonly string[], found: readonly JsonObject[]): void {
  checkNone(
    found
      .filter(({ type }) => !types.includes(String(type)))
      .map(({ id, type }) => `${shown(id)} is ${shown(type)}`),
  );
  const due = sample.records.map(({ id }) => id).filter((id) => types.includes(typeOf(id)));
  checkIds(found.slice(0, due.length), due.slice(0, 50));
}

function typeOf(id: string): string {
  return id.replace(/--.*/, '');
}
