// Flaws of adding and deleting. Those of one batch do not disturb each other.

import { type Body, body, type Flaw, refuse, STATUS, withHeaders } from '../fault.ts';
import type { Fault } from '../model-server.ts';

export const writingFlaws: readonly (readonly Flaw[])[] = [
  [
    {
      name: 'a read-only collection takes objects',
      fault: (request, serve) => {
        const answer = serve(request);
        return request.method === 'POST' && answer.status === 403
          ? { ...answer, status: 202, body: { status: 'complete' } }
          : answer;
      },
      broken: ['read-only: adding objects is 403 or 404'],
    },
    {
      name: 'deleting is not known',
      fault: refuse(405, ({ method }) => method === 'DELETE'),
      broken: ['read-only: deleting an object is 403'],
    },
    {
      name: 'adding is 200',
      fault: (request, serve) => {
        const answer = serve(request);
        return answer.status === 202 ? { ...answer, status: 200 } : answer;
      },
      broken: [
        'writing: an envelope is 202 with a status',
        'writing: the status can be asked for, and is complete in the end',
        'writing: a plain indicator is taken',
        'writing: the same object again does no harm',
        'writing: what was added can be read',
        'writing: what was deleted is 404',
        'writing: a Content-Type without its version is taken',
      ],
    },
    {
      name: 'anything is an envelope',
      fault: (request, serve) => {
        const answer = serve(request);
        const wrong = request.method === 'POST' && [400, 422].includes(answer.status);
        return wrong ? { ...answer, status: 202, body: { status: 'complete' } } : answer;
      },
      broken: [
        'writing: a body that is no JSON is refused',
        'writing: a body that is no envelope is refused',
        'writing: a bundle is no envelope',
      ],
    },
    {
      name: 'any Content-Type is taken',
      fault: (request, serve) =>
        serve(
          withHeaders(request, request.method === 'POST' ? { 'content-type': 'application/taxii+json' } : {}),
        ),
      broken: ['writing: another Content-Type is 415'],
    },
    {
      name: 'a body may have any length',
      fault: (request, serve) => serve({ ...request, body: request.body.trim() || '{}' }),
      broken: ['writing: a body beyond max_content_length is 413'],
    },
  ],
  [
    {
      name: 'every object is refused',
      fault: body(STATUS, (status) => ({ ...status, success_count: 0, failure_count: 1 })),
      broken: ['writing: a plain indicator is taken'],
    },
  ],
  [
    {
      name: 'the counts of a status do not add up',
      fault: body(/\/(status|objects)\//, (status) =>
        status.total_count === undefined ? status : { ...status, total_count: 2 },
      ),
      broken: [
        'writing: an envelope is 202 with a status',
        'writing: the status can be asked for, and is complete in the end',
      ],
    },
    {
      name: 'a bundle is taken for an envelope',
      fault: (request, serve) => serve({ ...request, body: request.body.replace(/"type":"bundle",/, '') }),
      broken: ['writing: a bundle is no envelope'],
    },
    {
      name: 'an object that is there is a failure',
      fault: failingAgain(),
      broken: ['writing: the same object again does no harm'],
    },
    {
      name: 'what was added is changed',
      fault: (request, serve) => {
        const changes = request.method === 'POST' && request.body.includes('of no meaning');
        return serve(
          changes ? { ...request, body: request.body.replace('of no meaning', 'changed') } : request,
        );
      },
      broken: ['writing: what was added can be read'],
    },
    {
      name: 'a Content-Type wants its version',
      fault: refuse(
        415,
        ({ headers: h, method }) => method === 'POST' && h['content-type'] === 'application/taxii+json',
      ),
      broken: ['writing: a Content-Type without its version is taken'],
    },
    {
      name: 'deleting does nothing',
      fault: (request, serve) => {
        const answer = request.method === 'DELETE' ? serve({ ...request, method: 'HEAD' }) : serve(request);
        return request.method === 'DELETE' && answer.status === 200 ? { status: 200, headers: {} } : answer;
      },
      broken: [
        'read-only: deleting an object is 403',
        'writing: what was deleted is 404',
        'answers: every error has an error message',
      ],
    },
  ],
  [
    {
      name: 'a status is not kept',
      fault: refuse(404, ({ path }) => STATUS.test(path)),
      broken: [
        'writing: the status can be asked for, and is complete in the end',
        'writing: a plain indicator is taken',
        'writing: the same object again does no harm',
        'writing: what was added can be read',
        'writing: what was deleted is 404',
      ],
    },
  ],
];

function failingAgain(): Fault {
  const known = new Set<unknown>();
  return (request, serve) => {
    const answer = serve(request);
    const status = answer.body as Body | undefined;
    if (request.method === 'GET' && STATUS.test(request.path) && known.has(request.path))
      return { ...answer, body: { ...status, success_count: 0, failure_count: 1 } };
    if (request.method === 'POST' && answer.status === 202) {
      if (known.size > 0) known.add(`/taxii2/status/${String(status?.id)}/`);
      known.add(request.body);
    }
    return answer;
  };
}
