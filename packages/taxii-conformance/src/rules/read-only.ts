// Rules about read-only collections (TAXII 2.1 §5.5, §5.7). The requests change nothing even if the server accepts them: an
// envelope without objects, and the id of an object that does not exist.

import { randomUUID } from 'node:crypto';
import { TAXII_MEDIA_TYPE } from '../http-client.ts';
import { type CollectionPaths, collectionPaths } from '../paths.ts';
import { must, type Rule } from '../rule.ts';
import type { Survey } from '../survey.ts';
import { needed, Untested } from '../violation.ts';

export const readOnlyRules: readonly Rule[] = [
  must('5.5', 'read-only: adding objects is 403 or 404', async (survey) => {
    const { objects } = readOnly(survey, () => true);
    const headers = { 'content-type': TAXII_MEDIA_TYPE };
    const answer = await survey.http.send(objects, { method: 'POST', headers, body: '{}' });
    if (answer.status === 400 || answer.status === 422)
      throw new Untested('an empty envelope is refused as such');
    answer.expect(403, 404);
  }),

  must('5.7', 'read-only: deleting an object is 403', async (survey) => {
    const paths = readOnly(survey, ({ can_read }) => can_read === true);
    (await survey.http.send(paths.object(`indicator--${randomUUID()}`), { method: 'DELETE' })).expect(403);
  }),
];

function readOnly(
  { listed, root }: Survey,
  wanted: (collection: Survey['listed'][number]) => boolean,
): CollectionPaths {
  const found = listed.find((collection) => collection.can_write === false && wanted(collection));
  return collectionPaths(root, String(needed(found, 'every collection can be written to').id));
}
