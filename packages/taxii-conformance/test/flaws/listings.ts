// Flaws of objects, manifest, one object, its versions and a status. Those of one batch do not disturb each other.

import {
  accept,
  asked,
  type Body,
  body,
  type Flaw,
  headers,
  isDateHeader,
  isEmpty,
  items,
  MANIFEST,
  OBJECTS,
  ONE,
  refuse,
  reversed,
  STATUS,
  VERSIONS,
  without,
} from '../fault.ts';

export const listingsFlaws: readonly (readonly Flaw[])[] = [
  [
    {
      name: 'objects are in a bundle',
      fault: body(OBJECTS, (page) => ({ type: 'bundle', ...page })),
      broken: ['objects: answer 200 with an envelope'],
    },
    {
      name: 'more is a text',
      fault: body(OBJECTS, (page) => ({ ...page, more: page.more === true ? 'true' : 'false' })),
      broken: [
        'objects: more is true or false, next is a text',
        'objects: added_after leaves out nothing that came later',
        'paging: in steps of 1 every object comes once, in order',
        'paging: in steps of 7 every object comes once, in order',
        'paging: added_after from the Last header alone finds every object once',
      ],
    },
    {
      name: 'after the end of time comes another year',
      fault: headers(/./, (value, name) =>
        isDateHeader(name) && value.startsWith('9999') ? '+010000-01-01T00:00:00.000000Z' : value,
      ),
      broken: ['added_after: at the end of time the headers keep their form'],
    },
    {
      name: 'next is always there',
      fault: body(/\/objects\/$/, (page) => ({ next: 'end', ...page })),
      broken: ['objects: next comes only where more is true'],
    },
    {
      name: 'date headers have milliseconds',
      fault: headers(OBJECTS, (value, name) => (isDateHeader(name) ? value.replace('000Z', 'Z') : value)),
      broken: [
        'objects: have both X-TAXII-Date-Added headers, with six digits',
        'objects: an empty page has both headers',
      ],
    },
    {
      name: 'date headers are those of the poll',
      fault: headers(OBJECTS, (value, name) => (isDateHeader(name) ? '2026-06-01T00:00:00.000000Z' : value)),
      broken: ['objects: the headers are the dates of the first and last object'],
    },
    {
      name: 'an empty page has an empty list',
      fault: (request, serve) => {
        const answer = serve(request);
        const listing = OBJECTS.test(request.path) || MANIFEST.test(request.path) || ONE.test(request.path);
        if (request.method !== 'GET' || !listing || answer.status !== 200 || !isEmpty(answer)) return answer;
        return { ...answer, body: { ...(answer.body as Body), objects: [] } };
      },
      broken: [
        'objects: an empty page has no list',
        'manifest: an empty page has no list',
        'object: where the filter excludes it, the envelope is empty',
      ],
    },
  ],
  [
    {
      name: 'objects is no list',
      fault: body(OBJECTS, (page) => ({ ...page, objects: {} })),
      broken: [
        'objects: answer 200 with an envelope',
        'objects: an empty page has no list',
        'objects: an empty page has both headers',
        'added_after: at the end of time the headers keep their form',
        'added_after: is understood with any number of digits',
        'paging: limit 1 is not exceeded',
        'paging: limit 7 is not exceeded',
        'paging: limit 100 is not exceeded',
        'paging: a page is full as long as more is true',
        'paging: next comes wherever more is true',
        'paging: the same next gives the same page again',
        'paging: a next that was altered is 400',
        'match[id]: an unknown one finds nothing',
        'match[spec_version]: 2.0 finds no object of STIX 2.1',
      ],
    },
  ],
  [
    {
      name: 'there are no date headers',
      fault: headers(OBJECTS, (value, name) => (isDateHeader(name) ? undefined : value)),
      broken: [
        'objects: have both X-TAXII-Date-Added headers, with six digits',
        'objects: the headers are the dates of the first and last object',
        'objects: an empty page has both headers',
        'added_after: at the end of time the headers keep their form',
        'paging: added_after from the Last header alone finds every object once',
      ],
    },
  ],
  [
    {
      name: 'an empty page has no date headers',
      fault: (request, serve) => {
        const answer = serve(request);
        if (!isEmpty(answer)) return answer;
        const { 'content-type': type = '' } = answer.headers;
        return answer.headers['x-taxii-date-added-last'] === undefined
          ? answer
          : { ...answer, headers: { 'content-type': type } };
      },
      broken: [
        'objects: an empty page has both headers',
        'manifest: an empty page has both headers',
        'added_after: at the end of time the headers keep their form',
      ],
    },
    {
      name: 'a page comes newest first',
      fault: body(OBJECTS, reversed),
      broken: [
        'objects: the headers are the dates of the first and last object',
        'objects: ascend by the date they were added',
        'paging: in steps of 7 every object comes once, in order',
        'paging: in steps of 100 every object comes once, in order',
        'paging: a huge limit is answered, in order',
        'paging: added_after from the Last header alone finds every object once',
        'stix: what an object refers to was added before it',
      ],
    },
  ],
  [
    {
      name: 'objects come twice',
      fault: body(OBJECTS, (page) => ({
        ...page,
        objects: (page.objects as unknown[] | undefined)?.flatMap((one, at) =>
          at === 3 ? [one, one] : [one],
        ),
      })),
      broken: [
        'objects: are those of the manifest, each once',
        'paging: limit 7 is not exceeded',
        'paging: in steps of 7 every object comes once, in order',
        'paging: in steps of 100 every object comes once, in order',
        'paging: a huge limit is answered, in order',
        'paging: added_after from the Last header alone finds every object once',
        'match[type]: finds the objects of that type, and no others',
        'match[version]: first and last have the same objects, each once',
        'match: filters the manifest like the objects',
      ],
    },
  ],
  [
    {
      name: 'the manifest has no dates',
      fault: items(MANIFEST, without('date_added')),
      broken: ['manifest: answers 200 with a manifest'],
    },
    {
      name: 'the manifest knows no list in Accept',
      fault: refuse(406, (r) => accept(r).includes('stix')),
      broken: ['negotiation: the manifest knows the list of TAXII and STIX'],
    },
  ],
  [
    {
      name: 'dates in the manifest have no fraction',
      fault: items(MANIFEST, (record) => ({
        ...record,
        date_added: String(record.date_added).replace('.000000', ''),
      })),
      broken: ['manifest: each date_added has six digits'],
    },
    {
      name: 'the manifest has another media type',
      fault: items(MANIFEST, (record) => ({ ...record, media_type: 'text/plain' })),
      broken: ['manifest: media_type, where it is given, is one of the collection'],
    },
    {
      name: 'more of the manifest is a number',
      fault: body(MANIFEST, (page) => ({ ...page, more: page.more === true ? 1 : 0 })),
      broken: [
        'manifest: more is true or false',
        'manifest: added_after leaves out nothing that came later',
        'paging: the manifest in steps of 7 has every record once, in order',
        'paging: next goes on within added_after and match',
      ],
    },
    {
      name: 'the manifest has no date headers',
      fault: headers(MANIFEST, (value, name) => (isDateHeader(name) ? undefined : value)),
      broken: [
        'manifest: has both X-TAXII-Date-Added headers, with six digits',
        'manifest: the headers are the dates of its first and last record',
        'manifest: an empty page has both headers',
        'added_after: at the end of time the headers keep their form',
      ],
    },
    {
      name: 'the manifest has no versions',
      fault: asked(MANIFEST, (query) => {
        if (query.get('match[version]') === 'all') query.set('match[version]', 'first');
      }),
      broken: [
        'manifest: with all versions it has one record for each',
        'versions: are those that the manifest lists',
      ],
    },
  ],
  [
    {
      name: 'the manifest comes newest first',
      fault: body(MANIFEST, reversed),
      broken: [
        'manifest: ascends by date_added',
        'manifest: the headers are the dates of its first and last record',
        'added_after: the date of the last object leaves nothing',
        'paging: in steps of 1 every object comes once, in order',
        'paging: in steps of 7 every object comes once, in order',
        'paging: in steps of 100 every object comes once, in order',
        'paging: a huge limit is answered, in order',
        'paging: the manifest in steps of 7 has every record once, in order',
        'paging: next goes on within added_after and match',
        'paging: added_after from the Last header alone finds every object once',
      ],
    },
  ],
  [
    {
      name: 'the manifest has the dates of the poll',
      fault: headers(MANIFEST, (value, name) => (isDateHeader(name) ? '2026-06-01T00:00:00.000000Z' : value)),
      broken: ['manifest: the headers are the dates of its first and last record'],
    },
  ],
  [
    {
      name: 'an object comes with others',
      fault: (request, serve) =>
        ONE.test(request.path) && request.method === 'GET' && serve(request).status === 200
          ? serve({
              ...request,
              path: request.path.replace(/objects\/.*/, 'objects/'),
              query: new URLSearchParams('limit=2'),
            })
          : serve(request),
      broken: [
        'object: by its id it comes alone, and as in the objects',
        'object: where the filter excludes it, the envelope is empty',
      ],
    },
    {
      name: 'an unknown object is an empty envelope',
      fault: (request, serve) => {
        const answer = serve(request);
        const unknown =
          request.method === 'GET' &&
          answer.status === 404 &&
          (ONE.test(request.path) || VERSIONS.test(request.path));
        return unknown
          ? serve({
              ...request,
              path: request.path.replace(/objects\/.*/, 'objects/'),
              query: new URLSearchParams('match[id]=x'),
            })
          : answer;
      },
      broken: [
        'object: an unknown one is 404',
        'versions: of an unknown object are 404',
        'writing: what was deleted is 404',
      ],
    },
    {
      name: 'versions lack the last',
      fault: body(VERSIONS, ({ versions, ...page }) => ({
        ...page,
        versions: [...(versions as unknown[]).slice(0, -1), '2020-01-01T00:00:00.000Z'],
      })),
      broken: [
        'versions: answer 200 with the versions of the object',
        'versions: are those that the manifest lists',
        'versions: ascend, as the headers do',
      ],
    },
    {
      name: 'versions have no date headers',
      fault: headers(VERSIONS, (value, name) => (isDateHeader(name) ? undefined : value)),
      broken: ['versions: have both X-TAXII-Date-Added headers, with six digits'],
    },
    {
      name: 'an unknown status is complete',
      fault: (request, serve) => {
        const answer = serve(request);
        const unknown = STATUS.test(request.path) && answer.status === 404;
        return unknown ? { ...answer, status: 200, body: { status: 'complete' } } : answer;
      },
      broken: ['status: an unknown one is 404'],
    },
  ],
  [
    {
      name: 'an object is cut short',
      fault: items(ONE, without('description')),
      broken: [
        'object: by its id it comes alone, and as in the objects',
        'writing: what was added can be read',
      ],
    },
    {
      name: 'an object has no date headers',
      fault: headers(ONE, (value, name) => (isDateHeader(name) ? undefined : value)),
      broken: ['object: has both X-TAXII-Date-Added headers, with six digits'],
    },
    {
      name: 'an object without that version is 404',
      fault: (request, serve) => {
        const answer = serve(request);
        const none =
          ONE.test(request.path) && answer.status === 200 && request.method === 'GET' && isEmpty(answer);
        return none ? { ...answer, status: 404, body: { title: 'x', http_status: '404' } } : answer;
      },
      broken: ['object: where the filter excludes it, the envelope is empty'],
    },
    {
      name: 'versions are numbers',
      fault: body(VERSIONS, (page) => ({ ...page, versions: [1, 2] })),
      broken: [
        'versions: answer 200 with the versions of the object',
        'versions: each is a timestamp, and comes once',
        'versions: are those that the manifest lists',
      ],
    },
  ],
  [
    {
      name: 'versions come newest first',
      fault: body(VERSIONS, ({ versions, ...page }) => ({
        ...page,
        versions: (versions as unknown[]).toReversed(),
      })),
      broken: ['versions: ascend, as the headers do'],
    },
  ],
];
