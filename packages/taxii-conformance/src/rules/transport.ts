// Rules about HTTP itself (TAXII 2.1 §3.1, §8.2 and RFC 9110).

import { gunzipSync } from 'node:zlib';
import { Answer } from '../answer.ts';
import { canonical, isObject } from '../json-value.ts';
import { must, type Rule, should } from '../rule.ts';
import { check, Untested, Violation } from '../violation.ts';

export const transportRules: readonly Rule[] = [
  must('8.2.2', 'transport: the server is reached by HTTPS', ({ http }) => {
    if (!http.isHttps && http.isLoopback) throw new Untested('a loopback address');
    check(http.isHttps, 'the address is plain http');
  }),

  should('8.2.1', 'transport: a request without User-Agent is answered', async ({ http, root }) => {
    (await http.send(`${root}collections/`, { headers: { 'user-agent': null } })).expect(200);
  }),

  // §3.1 requires the slash. A client without it is at fault, but after a redirect some clients drop the credential.
  should(
    '3.1',
    'transport: a path without its last slash is answered, not redirected',
    async ({ http, root }) => {
      (await http.send(`${root}collections`)).expect(200);
    },
  ),

  should('3.1', 'transport: a GET that has a Content-Type is answered', async ({ http, root }) => {
    const headers = { 'content-type': 'application/json' };
    (await http.send(`${root}collections/`, { headers })).expect(200);
  }),

  should('3.6', 'transport: an unknown path below the API root is 404', async ({ http, root }) => {
    (await http.send(`${root}no-such-endpoint/`)).expect(404);
  }),

  should('RFC 9110 9.3.2', 'transport: HEAD is answered as GET, without a body', async ({ http, root }) => {
    const answer = (await http.send(`${root}collections/`, { method: 'HEAD' })).expect(200);
    check(answer.body.length === 0, `${answer.request}: it has a body`);
    check(answer.header('content-type') !== undefined, `${answer.request}: it has no Content-Type`);
  }),

  should(
    'RFC 9110 15.5.6',
    'transport: a method that is not there is 405 with Allow',
    async ({ http, root }) => {
      const answer = (await http.send(`${root}collections/`, { method: 'PUT', body: '{}' })).expect(405);
      check(/\bGET\b/.test(answer.header('allow') ?? ''), `${answer.request}: Allow does not name GET`);
    },
  ),

  should('RFC 9110 8.4.1', 'transport: gzip, where it is used, holds the same', async (survey) => {
    const path = `${survey.paths().objects}?limit=100`;
    const packed = await survey.http.send(path, { headers: { 'accept-encoding': 'gzip' } });
    packed.expect(200);
    if (packed.header('content-encoding') !== 'gzip') throw new Untested('the server does not compress');
    const plain = (await survey.http.send(path)).expect(200);
    check(plain.header('content-encoding') === undefined, `${plain.request}: compressed without being asked`);
    // The bodies may differ: `next` may be new each time.
    const [once, again] = [unpacked(packed), plain].map((answer) => canonical(answer.object().objects));
    check(once === again, `${packed.request}: unpacked, it differs from the plain answer`);
  }),
];

function unpacked({ request, status, headers, body }: Answer): Answer {
  try {
    return new Answer(request, status, headers, gunzipSync(body));
  } catch (error) {
    throw new Violation(
      `${request}: it cannot be unpacked (${isObject(error) ? String(error.code) : error})`,
    );
  }
}
