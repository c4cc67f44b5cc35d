// Flaws of every answer. Those of one batch do not disturb each other.

import { type Flaw, headers } from '../fault.ts';

export const answersFlaws: readonly (readonly Flaw[])[] = [
  [
    {
      name: 'the media type is application/json',
      fault: headers(/./, (value, name) => (name === 'content-type' ? 'application/json' : value)),
      broken: [
        'answers: every success says the media type of TAXII 2.1',
        'answers: every error with a body says the media type of TAXII 2.1',
      ],
    },
    {
      name: 'errors are pages',
      fault: (request, serve) => {
        const answer = serve(request);
        return answer.status >= 400 ? { ...answer, body: '<html>' } : answer;
      },
      broken: ['answers: every error has an error message'],
    },
  ],
  [
    {
      name: 'the media type has a charset',
      fault: headers(/./, (value, name) => (name === 'content-type' ? `${value}; charset=utf-8` : value)),
      broken: [
        'answers: every success says the media type of TAXII 2.1',
        'answers: every error with a body says the media type of TAXII 2.1',
      ],
    },
    {
      name: 'errors have no title',
      fault: (request, serve) => {
        const answer = serve(request);
        return answer.status >= 400 && request.method !== 'HEAD'
          ? { ...answer, body: { http_status: String(answer.status) } }
          : answer;
      },
      broken: ['answers: every error message has a title'],
    },
  ],
  [
    {
      name: 'the media type has a space',
      fault: headers(/./, (value, name) => (name === 'content-type' ? value.replace(';', '; ') : value)),
      broken: ['answers: the media type is spelled application/taxii+json;version=2.1'],
    },
    {
      name: 'http_status is a number',
      fault: (request, serve) => {
        const answer = serve(request);
        return answer.status >= 400 && request.method !== 'HEAD'
          ? { ...answer, body: { title: 'x', http_status: answer.status } }
          : answer;
      },
      broken: ['answers: http_status of an error message is the status, as a text'],
    },
  ],
];
