// Rules about discovery and the API root (TAXII 2.1 §4.1, §4.2).

import { isText, isTextList, shown } from '../json-value.ts';
import { must, type Rule } from '../rule.ts';
import { check, checkNone, needed } from '../violation.ts';

const TAXII_VERSION = /^application\/taxii\+json;\s*version=\d+\.\d+$/;

export const discoveryRules: readonly Rule[] = [
  must('4.1', 'discovery: answers 200 with an object', ({ discovery }) => {
    discovery.object();
  }),

  must('4.1.1', 'discovery: has a title, and its members are of their types', ({ discovery }) => {
    const { title, description, contact, default: preferred, api_roots: roots } = discovery.object();
    checkNone([
      ...(isText(title) ? [] : [`title is ${shown(title)}`]),
      ...Object.entries({ description, contact, default: preferred }).flatMap(([name, value]) =>
        value === undefined || typeof value === 'string' ? [] : [`${name} is ${shown(value)}`],
      ),
      ...(roots === undefined || isTextList(roots) ? [] : [`api_roots is ${shown(roots)}`]),
    ]);
  }),

  must('4.1.1', 'discovery: default is one of api_roots', ({ discovery }) => {
    const { default: preferred, api_roots: roots } = discovery.object();
    needed(preferred, 'there is no default');
    check(Array.isArray(roots) && roots.includes(preferred), `${shown(preferred)} is not in ${shown(roots)}`);
  }),

  must('4.1.1', 'discovery: api_roots are https URLs or paths from the root', ({ discovery }) => {
    const roots = needed(discovery.object().api_roots, 'there are no api_roots');
    checkNone(
      [roots].flat().flatMap((root) => {
        const sound = /^https:\/\/[^/?#]+\/|^\/(?!\/)/.test(String(root)) && !/[?#]/.test(String(root));
        return sound ? [] : [`${shown(root)} is neither`];
      }),
    );
  }),

  must('4.2', 'api root: answers 200 with an object', ({ apiRoot }) => {
    apiRoot.object();
  }),

  must('4.2.1', 'api root: has a title', ({ apiRoot }) => {
    const { title } = apiRoot.object();
    check(isText(title), `title is ${shown(title)}`);
  }),

  must('4.2.1', 'api root: versions has application/taxii+json;version=2.1', ({ apiRoot }) => {
    const { versions } = apiRoot.object();
    check(
      isTextList(versions) && versions.includes('application/taxii+json;version=2.1'),
      `versions is ${shown(versions)}`,
    );
  }),

  must('4.2.1', 'api root: each of versions is a TAXII media type with its version', ({ apiRoot }) => {
    const { versions } = apiRoot.object();
    check(isTextList(versions), `versions is ${shown(versions)}`);
    checkNone(
      versions.filter((version) => !TAXII_VERSION.test(version)).map((version) => `${shown(version)} is not`),
    );
  }),

  must('4.2.1', 'api root: max_content_length is a whole number above 0', ({ apiRoot }) => {
    const { max_content_length: most } = apiRoot.object();
    check(Number.isSafeInteger(most) && Number(most) > 0, `max_content_length is ${shown(most)}`);
  }),
];
