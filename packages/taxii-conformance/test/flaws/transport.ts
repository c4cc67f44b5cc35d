// Flaws of HTTP itself. Those of one batch do not disturb each other.

import { accept, type Flaw, headers, OBJECTS, plain, refuse, withHeaders } from '../fault.ts';

export const transportFlaws: readonly (readonly Flaw[])[] = [
  [
    {
      name: 'it is plain http',
      fault: (request, serve) => serve(request),
      // Another address of this machine, because plain http is allowed for loopback addresses only.
      begin: (address) => {
        address.hostname = '0.0.0.0';
      },
      broken: ['transport: the server is reached by HTTPS'],
    },
  ],
  [
    {
      name: 'a request without User-Agent is refused',
      fault: refuse(400, ({ headers: h }) => h['user-agent'] === undefined),
      broken: ['transport: a request without User-Agent is answered'],
    },
    {
      name: 'a missing slash is redirected',
      fault: (request, serve) =>
        request.path.endsWith('/')
          ? serve(request)
          : { ...plain(308, 'moved'), headers: { location: `${request.path}/` } },
      broken: ['transport: a path without its last slash is answered, not redirected'],
    },
    {
      name: 'a GET with a Content-Type is refused',
      fault: refuse(415, ({ method, headers: h }) => method === 'GET' && h['content-type'] !== undefined),
      broken: ['transport: a GET that has a Content-Type is answered'],
    },
    {
      name: 'unknown paths are answered',
      fault: (request, serve) =>
        request.path.includes('no-such') ? serve({ ...request, path: '/taxii2/' }) : serve(request),
      broken: ['transport: an unknown path below the API root is 404'],
    },
    {
      name: 'HEAD is not known',
      fault: refuse(405, ({ method }) => method === 'HEAD'),
      broken: ['transport: HEAD is answered as GET, without a body'],
    },
    {
      name: 'a wrong method is 404',
      fault: (request, serve) =>
        request.method === 'PUT' ? serve({ ...request, method: 'GET', path: '/taxii2/x/' }) : serve(request),
      broken: ['transport: a method that is not there is 405 with Allow'],
    },
    {
      name: 'gzip is damaged',
      fault: (request, serve) => {
        const answer = serve(request);
        if (request.headers['accept-encoding'] !== 'gzip') return answer;
        return { ...answer, headers: { ...answer.headers, 'content-encoding': 'gzip' } };
      },
      broken: ['transport: gzip, where it is used, holds the same'],
    },
  ],
  [
    {
      name: 'the version is demanded in Accept',
      fault: refuse(406, (r) => !/version/i.test(accept(r))),
      broken: [
        'negotiation: an Accept without a version is answered',
        'negotiation: an Accept of application/* is answered',
        'negotiation: an Accept of */* is answered',
        'negotiation: an Accept header that is missing is answered',
      ],
    },
    {
      name: 'a list in Accept is not understood',
      fault: refuse(406, (r) => accept(r).includes(',')),
      broken: [
        'negotiation: an Accept in a list is answered',
        'negotiation: an Accept in a list with weights is answered',
        'negotiation: the manifest knows the list of TAXII and STIX',
      ],
    },
    {
      name: 'another Accept is 500',
      fault: (request, serve) => {
        const answer = serve(request);
        return answer.status === 406
          ? { ...answer, status: 500, body: { title: 'x', http_status: '500' } }
          : answer;
      },
      broken: [
        'negotiation: where TAXII is not accepted, it is served all the same or 406',
        'negotiation: another version alone is 406',
        'answers: no request is answered with a fault of the server',
      ],
    },
  ],
  [
    {
      name: 'Accept is compared letter by letter',
      fault: refuse(406, (r) => {
        const exact = 'application/taxii+json;version=2.1';
        return ![exact, `${exact},application/stix+json;version=2.1`].includes(accept(r));
      }),
      broken: [
        'negotiation: an Accept without a version is answered',
        'negotiation: an Accept with a space before the version is answered',
        'negotiation: an Accept with its version in quotes is answered',
        'negotiation: an Accept in upper case is answered',
        'negotiation: an Accept in a list is answered',
        'negotiation: an Accept in a list with weights is answered',
        'negotiation: an Accept of application/* is answered',
        'negotiation: an Accept of */* is answered',
        'negotiation: an Accept header that is missing is answered',
      ],
    },
  ],
  [
    {
      name: 'the version in Accept is not understood for one object',
      fault: (request, serve) => {
        const answer = serve(request);
        const exact = accept(request) === 'application/taxii+json;version=2.1';
        const one = OBJECTS.test(request.path) && request.query.toString() === 'limit=1';
        return exact && one && answer.status === 200 ? refuse(406, () => true)(request, serve) : answer;
      },
      broken: [
        'negotiation: an Accept with its version is answered',
        'paging: limit 1 is not exceeded',
        'paging: in steps of 1 every object comes once, in order',
      ],
    },
  ],
  [
    {
      // The error message is compressed too.
      name: 'what may be compressed is refused',
      fault: refuse(406, ({ headers: h }) => h['accept-encoding'] === 'gzip'),
      broken: ['transport: gzip, where it is used, holds the same'],
    },
  ],
  [
    {
      name: 'every Accept is taken',
      fault: (request, serve) => serve(withHeaders(request, { accept: '*/*' })),
      broken: ['negotiation: another version alone is 406'],
    },
  ],
  [
    {
      name: 'no credential is 403',
      fault: (request, serve) => {
        const answer = serve(request);
        return answer.status === 401
          ? { ...answer, status: 403, body: { title: 'x', http_status: '403' } }
          : answer;
      },
      broken: [
        'credentials: without one, what is protected is 401 or 404',
        'credentials: a wrong one is 401 or 404',
      ],
    },
    {
      name: 'the scheme has to be in capitals',
      fault: refuse(401, ({ headers: h }) => h.authorization?.startsWith('b') === true),
      broken: ['credentials: the name of the scheme is known in lower case'],
    },
  ],
  [
    {
      name: 'a 401 has no challenge',
      fault: headers(/./, (value, name) => (name === 'www-authenticate' ? undefined : value)),
      broken: [
        'credentials: a 401 has a WWW-Authenticate header',
        'credentials: Basic is among the challenges',
      ],
    },
    {
      name: 'any credential opens objects',
      fault: (request, serve) =>
        serve(
          request.headers.authorization !== undefined && OBJECTS.test(request.path)
            ? withHeaders(request, { authorization: 'Bearer the-key-of-the-model' })
            : request,
        ),
      broken: ['credentials: a wrong one is 401 or 404'],
    },
  ],
  [
    {
      name: 'Basic is not offered',
      fault: headers(/./, (value, name) => (name === 'www-authenticate' ? 'Bearer' : value)),
      broken: ['credentials: Basic is among the challenges'],
    },
  ],
];
