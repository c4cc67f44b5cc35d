// Flaws of match filters and malformed parameters. Those of one batch do not disturb each other.

import { asked, type Body, body, type Flaw, lenient, MANIFEST, OBJECTS, plain, refuse } from '../fault.ts';
import type { ModelRequest } from '../model-server.ts';

export const filtersFlaws: readonly (readonly Flaw[])[] = [
  [
    {
      name: 'match[id] is not known',
      fault: asked(OBJECTS, (query) => query.delete('match[id]')),
      broken: [
        'match[id]: finds one object',
        'match[id]: a comma means "or"',
        'match[id]: an unknown one finds nothing',
        'match: two fields mean "and"',
      ],
    },
    {
      name: 'the first version is the default',
      fault: asked(MANIFEST, (query) => {
        if (query.get('match[id]') !== null && query.get('match[version]') === null)
          query.set('match[version]', 'first');
      }),
      broken: ['match[version]: the last version is the default'],
    },
    {
      name: 'match[spec_version] is not known',
      fault: asked(/./, (query) => query.delete('match[spec_version]')),
      broken: ['match[spec_version]: 2.0 finds no object of STIX 2.1'],
    },
    {
      name: 'what is unknown is refused',
      fault: refuse(400, ({ query }) => [...query.keys()].some((name) => name.includes('conformance'))),
      broken: ['match: an unknown field is passed over', 'match: an unknown parameter is passed over'],
    },
  ],
  [
    {
      name: 'match[type] is not known',
      fault: asked(/./, (query) => query.delete('match[type]')),
      broken: [
        'paging: next goes on within added_after and match',
        'match[type]: finds the objects of that type, and no others',
        'match[type]: a comma means "or"',
        'match[type]: one that is not there finds nothing',
        'match: two fields mean "and"',
        'parameters: match[type] given twice is 400',
      ],
    },
    {
      name: 'match[version] is not known',
      fault: asked(/./, (query) => {
        if (query.get('match[version]') !== 'all') query.delete('match[version]');
      }),
      broken: [
        'object: where the filter excludes it, the envelope is empty',
        'match[version]: first',
        'match[version]: a timestamp finds that version',
        'match[version]: first,last finds both',
        'parameters: match[version]=newest is 400',
        'parameters: match[version]=all,last is 400',
        'parameters: what is malformed is 400 for the manifest too',
      ],
    },
    {
      name: 'spec_version finds nothing',
      fault: asked(OBJECTS, (query) => {
        if (query.get('match[spec_version]') === '2.1') query.set('match[id]', 'x');
      }),
      broken: ['match[spec_version]: finds objects of that version of STIX'],
    },
    {
      name: 'only encoded brackets are known',
      fault: (request, serve) => {
        const id = request.query.get('match[id]');
        return id !== null && [...request.query].length === 1 && OBJECTS.test(request.path) && once(id)
          ? serve({ ...request, query: new URLSearchParams() })
          : serve(request);
      },
      broken: ['match: brackets may be percent-encoded or not'],
    },
  ],
  [
    {
      name: 'a comma is a letter',
      fault: asked(OBJECTS, (query) => {
        for (const name of ['match[id]', 'match[type]'])
          if (query.get(name)?.includes(',')) query.set(name, 'x');
      }),
      broken: ['match[id]: a comma means "or"', 'match[type]: a comma means "or"'],
    },
    {
      name: 'what was changed has no first version',
      fault: body(OBJECTS, withoutChanged),
      broken: ['match[version]: first and last have the same objects, each once'],
    },
    {
      name: 'what was changed has no first record',
      fault: body(MANIFEST, withoutChanged),
      broken: ['match[version]: first and last have the same records in the manifest, each once'],
    },
    {
      name: 'an unknown type is 400',
      fault: refuse(400, ({ query }) => query.get('match[type]') === 'course-of-action'),
      broken: ['match[type]: one that is not there finds nothing', 'match: two fields mean "and"'],
    },
  ],
  [
    {
      name: 'two fields mean or',
      fault: asked(OBJECTS, (query) => {
        if (query.get('match[id]') !== null) query.delete('match[type]');
      }),
      broken: ['match: two fields mean "and"'],
    },
  ],
  [
    {
      name: 'a wrong limit is passed over',
      fault: lenient('limit', (limit) => !/^[1-9]\d*$/.test(limit)),
      broken: [
        'parameters: limit=0 is 400',
        'parameters: limit=-1 is 400',
        'parameters: limit=1.5 is 400',
        'parameters: limit=many is 400',
        'parameters: limit= is 400',
        'parameters: what is malformed is 400 for the manifest too',
      ],
    },
    {
      name: 'the last of several values counts',
      fault: (request, serve) => {
        const query = new URLSearchParams();
        for (const [name, value] of request.query) query.set(name, value);
        return serve({ ...request, query });
      },
      broken: [
        'parameters: limit given twice is 400',
        'parameters: added_after given twice is 400',
        'parameters: match[type] given twice is 400',
      ],
    },
  ],
  [
    {
      name: 'a wrong added_after is passed over',
      fault: lenient('added_after', (after) => /yesterday|02-30/.test(after)),
      broken: [
        'parameters: added_after=yesterday is 400',
        'parameters: added_after=2026-02-30T00:00:00.000000Z is 400',
        'parameters: what is malformed is 400 for the manifest too',
      ],
    },
  ],
  [
    {
      name: 'a wrong version is passed over',
      fault: lenient('match[version]', (version) => /newest|all,/.test(version)),
      broken: [
        'parameters: match[version]=newest is 400',
        'parameters: match[version]=all,last is 400',
        'parameters: what is malformed is 400 for the manifest too',
      ],
    },
  ],
  [
    {
      name: 'a malformed parameter is 500',
      fault: (request, serve) => {
        const answer = serve(request);
        return answer.status === 400 && MANIFEST.test(request.path) ? plain(500, '<html>') : answer;
      },
      broken: [
        'parameters: what is malformed is 400 for the manifest too',
        'answers: every error with a body says the media type of TAXII 2.1',
        'answers: every error has an error message',
        'answers: no request is answered with a fault of the server',
      ],
    },
  ],
];

/** The first versions of all objects, without those of the two that have several. */
function withoutChanged(page: Body, { query }: ModelRequest): Body {
  const { objects } = page;
  if (query.get('match[version]') !== 'first' || query.has('match[id]') || !Array.isArray(objects))
    return page;
  return { ...page, objects: objects.filter(({ id }: Body) => !/^indicator--.*10[12]$/.test(String(id))) };
}

/** True for the first use of a text. */
function once(text: string): boolean {
  const fresh = !seen.has(text);
  seen.add(text);
  return fresh;
}

const seen = new Set<string>();
