// Flaws of discovery, the API root and the collections. Those of one batch do not disturb each other.

import {
  body,
  COLLECTIONS,
  DISCOVERY,
  type Flaw,
  items,
  OBJECTS,
  refuse,
  rootAt,
  together,
  without,
} from '../fault.ts';
import type { Fault } from '../model-server.ts';

export const resourcesFlaws: readonly (readonly Flaw[])[] = [
  [
    {
      name: 'there is no discovery',
      fault: together([refuse(404, ({ path }) => DISCOVERY.test(path)), rootAt('/root/')]),
      begin: (address) => {
        address.pathname = '/root/';
      },
      broken: [
        'discovery: answers 200 with an object',
        'discovery: has a title, and its members are of their types',
        'discovery: default is one of api_roots',
        'discovery: api_roots are https URLs or paths from the root',
      ],
    },
  ],
  [
    {
      name: 'the API root says nothing of itself',
      fault: together([refuse(404, ({ path }) => path === '/root/'), rootAt('/root/')]),
      broken: [
        'api root: answers 200 with an object',
        'api root: has a title',
        'api root: versions has application/taxii+json;version=2.1',
        'api root: each of versions is a TAXII media type with its version',
        'api root: max_content_length is a whole number above 0',
        'writing: a body beyond max_content_length is 413',
      ],
    },
  ],
  [
    {
      name: 'discovery has no title',
      fault: body(DISCOVERY, without('title')),
      broken: ['discovery: has a title, and its members are of their types', 'api root: has a title'],
    },
    {
      name: 'default is not among the roots',
      fault: body(DISCOVERY, (root) => ({ ...root, api_roots: ['/taxii2/other/'] })),
      broken: ['discovery: default is one of api_roots'],
    },
    {
      name: 'versions says 2.1 only',
      fault: body(DISCOVERY, (root) => ({ ...root, versions: ['2.1'] })),
      broken: [
        'api root: versions has application/taxii+json;version=2.1',
        'api root: each of versions is a TAXII media type with its version',
      ],
    },
    {
      name: 'max_content_length is a text',
      fault: body(DISCOVERY, (root) => ({ ...root, max_content_length: '100000' })),
      broken: ['api root: max_content_length is a whole number above 0'],
    },
  ],
  [
    {
      name: 'roots are plain http',
      fault: body(DISCOVERY, (root) => ({
        ...root,
        api_roots: ['http://example.org/taxii2/'],
        default: 'http://example.org/taxii2/',
      })),
      broken: ['discovery: api_roots are https URLs or paths from the root'],
    },
  ],
  [
    {
      name: 'the list of collections is empty',
      fault: body(COLLECTIONS, () => ({ collections: [] })),
      broken: ['collections: the list is left out when it is empty'],
    },
    {
      name: 'an unknown collection is 400',
      fault: (request, serve) => {
        const answer = serve(request);
        const wrong = answer.status === 404 && /\/collections\/[^/]+\/(objects\/)?$/.test(request.path);
        return wrong ? { ...answer, status: 400, body: { title: 'x', http_status: '400' } } : answer;
      },
      broken: ['collection: an unknown one is 404', 'objects: of an unknown collection are 404'],
    },
  ],
  [
    {
      name: 'collections is a list',
      fault: body(COLLECTIONS, ({ collections }) => collections),
      broken: [
        'collections: answer 200 with an object',
        'collections: the list is left out when it is empty',
      ],
    },
  ],
  [
    {
      name: 'can_read is a text',
      fault: items(COLLECTIONS, (one) => ({ ...one, can_read: 'yes' }), 'collections'),
      broken: [
        'collections: each has id, title, can_read and can_write',
        'collection: by its id it is the same as in the list',
      ],
    },
    {
      name: 'collections come in any order',
      fault: alternately(
        body(COLLECTIONS, ({ collections }) => ({
          collections: (collections as unknown[]).toReversed(),
        })),
      ),
      broken: ['collections: come in the same order again'],
    },
    {
      name: 'an alias is not known',
      fault: refuse(404, ({ path }) => path.includes('/main/')),
      broken: ['collection: its alias can stand for its id'],
    },
  ],
  [
    {
      name: 'media_types is empty',
      fault: items(COLLECTIONS, (one) => ({ ...one, media_types: [] }), 'collections'),
      broken: [
        'collections: description, alias and media_types are of their types',
        'collection: by its id it is the same as in the list',
        'manifest: media_type, where it is given, is one of the collection',
      ],
    },
    {
      name: 'a closed collection is empty',
      fault: (request, serve) => {
        const answer = serve(request);
        const closed = request.method === 'GET' && OBJECTS.test(request.path) && answer.status === 403;
        return closed ? { ...answer, status: 200, body: { more: false } } : answer;
      },
      broken: ['objects: of a collection that cannot be read are 403 or 404'],
    },
  ],
  [
    {
      name: 'every collection has the same alias',
      fault: items(COLLECTIONS, (one) => ({ ...one, alias: 'main' }), 'collections'),
      broken: [
        'collections: no id and no alias is there twice',
        'collection: by its id it is the same as in the list',
      ],
    },
  ],
  [
    {
      name: 'ids of collections are names',
      fault: items(
        COLLECTIONS,
        (one) => (one.alias === 'main' ? { ...one, id: 'main' } : one),
        'collections',
      ),
      broken: [
        'collections: each id is a UUID of version 4',
        'collections: no id and no alias is there twice',
        'collections: are sorted by id',
        'collection: by its id it is the same as in the list',
        'collection: its alias can stand for its id',
      ],
    },
  ],
];

/** The fault in every other answer of its path. */
function alternately(fault: Fault): Fault {
  let asks = 0;
  return (request, serve) => {
    if (!COLLECTIONS.test(request.path)) return serve(request);
    asks += 1;
    return asks % 2 === 0 ? fault(request, serve) : serve(request);
  };
}
