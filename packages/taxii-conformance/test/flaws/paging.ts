// Flaws of added_after, limit and next. Those of one batch do not disturb each other.

import { asked, body, type Flaw, lenient, MANIFEST, OBJECTS, refuse, without } from '../fault.ts';
import type { Fault } from '../model-server.ts';

export const pagingFlaws: readonly (readonly Flaw[])[] = [
  [
    {
      name: 'added_after includes its own instant',
      fault: asked(/./, (query) => {
        const date = Date.parse(query.get('added_after') ?? '');
        if (Number.isNaN(date) || query.get('next') !== null) return;
        query.set('added_after', new Date(date - 1).toISOString());
      }),
      broken: [
        'objects: added_after is exclusive',
        'manifest: added_after is exclusive',
        'added_after: the date of the last object leaves nothing',
        'paging: next goes on within added_after and match',
        'paging: added_after from the Last header alone finds every object once',
        'parameters: added_after=2026-02-30T00:00:00.000000Z is 400',
        'parameters: added_after given twice is 400',
      ],
    },
  ],
  [
    {
      name: 'added_after skips a second',
      fault: asked(/./, (query) => {
        const after = query.get('added_after');
        const date = new Date(after ?? '');
        if (Number.isNaN(date.getTime()) || query.get('next') !== null || date.getUTCFullYear() === 9999)
          return;
        query.set('added_after', new Date(date.getTime() + 1_000).toISOString());
      }),
      broken: [
        'objects: added_after leaves out nothing that came later',
        'manifest: added_after leaves out nothing that came later',
        'paging: added_after from the Last header alone finds every object once',
        'parameters: added_after=2026-02-30T00:00:00.000000Z is 400',
        'parameters: added_after given twice is 400',
      ],
    },
  ],
  [
    {
      name: 'added_after has to have six digits',
      fault: refuse(
        400,
        ({ query }) => query.get('added_after') !== null && !/\.\d{6}Z$/.test(query.get('added_after') ?? ''),
      ),
      broken: ['added_after: is understood with any number of digits'],
    },
  ],
  [
    {
      name: 'a page has one object too many',
      fault: asked(OBJECTS, (query) => {
        const limit = query.get('limit');
        if (limit !== null && /^[1-9]\d*$/.test(limit)) query.set('limit', String(Number(limit) + 1));
      }),
      broken: [
        'paging: limit 1 is not exceeded',
        'paging: limit 7 is not exceeded',
        'match: filters the manifest like the objects',
        'parameters: limit given twice is 400',
      ],
    },
    {
      name: 'next of the manifest skips a record',
      fault: skipping(MANIFEST),
      broken: [
        'paging: the manifest in steps of 7 has every record once, in order',
        'paging: next goes on within added_after and match',
      ],
    },
    {
      name: 'a huge limit is refused',
      fault: refuse(400, ({ query }) => Number(query.get('limit')) > 10_000),
      broken: ['paging: a huge limit is answered, in order'],
    },
    {
      name: 'there is no next',
      fault: body(OBJECTS, without('next')),
      broken: ['paging: next comes wherever more is true'],
    },
    {
      name: 'a made-up next is the beginning',
      fault: lenient('next', (next) => next.includes(' ')),
      broken: ['paging: a next that was made up is 400'],
    },
  ],
  [
    {
      name: 'next skips an object',
      fault: skipping(OBJECTS),
      broken: [
        'paging: in steps of 7 every object comes once, in order',
        'paging: a page is full as long as more is true',
      ],
    },
    {
      name: 'next forgets the filters',
      fault: asked(MANIFEST, (query) => {
        const { added_after } = positionIn(query.get('next'));
        if (added_after === undefined) return;
        query.delete('next');
        query.delete('match[type]');
        query.set('added_after', added_after);
      }),
      broken: ['paging: next goes on within added_after and match'],
    },
    {
      name: 'next can be used once',
      fault: onceOnly(),
      broken: ['paging: the same next gives the same page again'],
    },
  ],
  [
    {
      name: 'pages are short',
      fault: asked(OBJECTS, (query) => {
        if (query.get('limit') === '7') query.set('limit', '5');
      }),
      broken: ['paging: a page is full as long as more is true'],
    },
    {
      name: 'next wants the filters again',
      fault: refuse(
        400,
        ({ query }) =>
          query.get('next') !== null && query.get('match[type]') === null && query.get('limit') === '2',
      ),
      broken: ['paging: next alone goes on with the walk'],
    },
    {
      name: 'an altered next is the beginning',
      fault: (request, serve) => {
        const answer = serve(request);
        if (answer.status !== 400 || request.query.get('next') === null) return answer;
        const query = new URLSearchParams(request.query);
        query.delete('next');
        return serve({ ...request, query });
      },
      broken: ['paging: a next that was made up is 400', 'paging: a next that was altered is 400'],
    },
  ],
];

/** Later pages leave out their first object. */
function skipping(path: RegExp): Fault {
  return body(path, (page, { query }) =>
    query.get('next') === null
      ? page
      : { ...page, objects: (page.objects as unknown[] | undefined)?.slice(1) },
  );
}

/** A used `next` leads to the end. */
function onceOnly(): Fault {
  const spent = new Set<string>();
  return (request, serve) => {
    const next = request.query.get('next');
    const answer = serve(request);
    if (next === null || request.query.get('limit') !== '3') return answer;
    if (spent.has(next)) return { ...answer, body: { more: false } };
    spent.add(next);
    return answer;
  };
}

/** The content of `next`. */
function positionIn(next: string | null): { readonly added_after?: string } {
  return Object.fromEntries(
    new URLSearchParams(Buffer.from(next?.split('.')[1] ?? '', 'base64url').toString()),
  );
}
