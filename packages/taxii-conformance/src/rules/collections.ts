// Rules about the list of collections and each of them (TAXII 2.1 §5.1, §5.2).

import { randomUUID } from 'node:crypto';
import { canonical, isText, isTextList, type JsonObject, shown } from '../json-value.ts';
import { collectionPaths } from '../paths.ts';
import { must, type Rule, should } from '../rule.ts';
import type { Survey } from '../survey.ts';
import { check, checkNone, needed, Untested } from '../violation.ts';

/** §2: `identifier` is a UUID of version 4. */
const IDENTIFIER = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export const collectionRules: readonly Rule[] = [
  must('5.1', 'collections: answer 200 with an object', ({ collections }) => {
    collections.object();
  }),

  must('5.1.1', 'collections: the list is left out when it is empty', ({ collections }) => {
    const { collections: list } = collections.object();
    check(list === undefined || (Array.isArray(list) && list.length > 0), `collections is ${shown(list)}`);
  }),

  must('5.2.1', 'collections: each has id, title, can_read and can_write', (survey) => {
    checkNone(
      everyListed(survey).flatMap((collection) =>
        [
          ...['id', 'title'].filter((name) => !isText(collection[name])),
          ...['can_read', 'can_write'].filter((name) => typeof collection[name] !== 'boolean'),
        ].map((name) => `${shown(collection.id)}: ${name} is ${shown(collection[name])}`),
      ),
    );
  }),

  must('5.2.1', 'collections: each id is a UUID of version 4', (survey) => {
    const ids = everyListed(survey).map(({ id }) => id);
    checkNone(ids.filter((id) => !IDENTIFIER.test(String(id))).map((id) => `${shown(id)} is not`));
  }),

  must('5.2.1', 'collections: description, alias and media_types are of their types', (survey) => {
    checkNone(
      everyListed(survey).flatMap(({ id, description, alias, media_types }) => [
        ...(media_types === undefined || isTextList(media_types)
          ? []
          : [`${shown(id)}: media_types is ${shown(media_types)}`]),
        ...Object.entries({ description, alias }).flatMap(([name, value]) =>
          value === undefined || typeof value === 'string'
            ? []
            : [`${shown(id)}: ${name} is ${shown(value)}`],
        ),
      ]),
    );
  }),

  must('5.2.1', 'collections: no id and no alias is there twice', (survey) => {
    const names = everyListed(survey).flatMap(({ id, alias }) => [
      id,
      ...(alias === undefined ? [] : [alias]),
    ]);
    checkNone(names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${shown(name)} is`));
  }),

  must('3.3', 'collections: come in the same order again', async (survey) => {
    const once = everyListed(survey).map(({ id }) => id);
    const { collections } = (await survey.http.send(`${survey.root}collections/`)).object();
    const again = Array.isArray(collections) ? collections.map(({ id }: JsonObject) => id) : [];
    check(canonical(once) === canonical(again), `first ${shown(once)}, then ${shown(again)}`);
  }),

  // From the OASIS interoperability tests.
  should('3.3', 'collections: are sorted by id', (survey) => {
    const ids = everyListed(survey).map(({ id }) => String(id));
    check(canonical(ids) === canonical([...ids].sort()), shown(ids));
  }),

  must('5.2', 'collection: by its id it is the same as in the list', async (survey) => {
    for (const listed of everyListed(survey).slice(0, 5)) {
      const { self } = collectionPaths(survey.root, String(listed.id));
      const alone = (await survey.http.send(self)).object();
      check(canonical(alone) === canonical(listed), `${self}: ${shown(alone)}, in the list ${shown(listed)}`);
    }
  }),

  must('5.2.1', 'collection: its alias can stand for its id', async (survey) => {
    const { id, alias } = needed(
      everyListed(survey).find((collection) => isText(collection.alias)),
      'no collection has an alias',
    );
    const { self } = collectionPaths(survey.root, String(alias));
    const found = (await survey.http.send(self)).object();
    check(found.id === id, `${self}: the id is ${shown(found.id)}, not ${shown(id)}`);
  }),

  must('5.2', 'collection: an unknown one is 404', async ({ http, root }) => {
    (await http.send(collectionPaths(root, randomUUID()).self)).expect(404);
  }),

  must('5.4', 'objects: of an unknown collection are 404', async ({ http, root }) => {
    (await http.send(collectionPaths(root, randomUUID()).objects)).expect(404);
  }),

  must(
    '5.4',
    'objects: of a collection that cannot be read are 403 or 404',
    async ({ http, root, listed }) => {
      const closed = needed(
        listed.find(({ can_read }) => can_read === false),
        'every collection can be read',
      );
      (await http.send(collectionPaths(root, String(closed.id)).objects)).expect(403, 404);
    },
  ),
];

function everyListed({ listed }: Survey): readonly JsonObject[] {
  if (listed.length === 0) throw new Untested('there are no collections');
  return listed;
}
