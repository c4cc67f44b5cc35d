// Rules about all answers together (TAXII 2.1 §3.1, §3.6). They examine the answers to the other rules.

import type { Exchange } from '../http-client.ts';
import { isObject, isText, shown } from '../json-value.ts';
import { must, type Rule, should } from '../rule.ts';
import type { Survey } from '../survey.ts';
import { checkNone } from '../violation.ts';

/** The media type of §1.6.8, in every spelling that HTTP allows. */
const TAXII_TYPE = /^application\/taxii\+json\s*;\s*version="?2\.1"?$/i;

export const answerRules: readonly Rule[] = [
  must('3.1', 'answers: every success says the media type of TAXII 2.1', ({ http }) => {
    const wrong = http.exchanges.filter(({ status, hasBody, contentType }) => {
      return status < 300 && hasBody && !TAXII_TYPE.test(contentType ?? '');
    });
    checkNone(distinct(wrong.map(described)));
  }),

  must('3.1', 'answers: every error with a body says the media type of TAXII 2.1', ({ http }) => {
    const wrong = http.exchanges.filter(({ status, hasBody, contentType }) => {
      return status >= 400 && hasBody && !TAXII_TYPE.test(contentType ?? '');
    });
    checkNone(distinct(wrong.map(described)));
  }),

  // Some clients compare the exact spelling.
  should('3.1', 'answers: the media type is spelled application/taxii+json;version=2.1', ({ http }) => {
    const types = http.exchanges
      .map(({ contentType = '' }) => contentType)
      .filter((type) => TAXII_TYPE.test(type));
    checkNone(distinct(types.filter((type) => type !== 'application/taxii+json;version=2.1').map(shown)));
  }),

  should('3.6', 'answers: every error has an error message', (survey) => {
    const silent = errorsOf(survey).filter(({ message }) => message === undefined);
    checkNone(distinct(silent.map(described)));
  }),

  must('3.6.1', 'answers: every error message has a title', (survey) => {
    const wrong = errorsOf(survey).filter(({ message }) => isObject(message) && !isText(message.title));
    checkNone(distinct(wrong.map(described)));
  }),

  must('3.6.1', 'answers: http_status of an error message is the status, as a text', (survey) => {
    const wrong = errorsOf(survey).filter(({ status, message }) => {
      return isObject(message) && message.http_status !== undefined && message.http_status !== String(status);
    });
    checkNone(distinct(wrong.map(described)));
  }),

  should('RFC 9110 15.6', 'answers: no request is answered with a fault of the server', ({ http }) => {
    checkNone(distinct(http.exchanges.filter(({ status }) => status >= 500).map(described)));
  }),
];

interface ErrorAnswer extends Exchange {
  /** The body as an object. Undefined if it is not one. */
  readonly message: unknown;
}

/** Answers to HEAD have no body, and compressed bodies are not unpacked. */
function errorsOf({ http }: Survey): readonly ErrorAnswer[] {
  return http.exchanges
    .filter(({ errorBody, request }) => errorBody !== undefined && !request.startsWith('HEAD '))
    .map((exchange) => ({ ...exchange, message: messageOf(exchange) }));
}

function messageOf({ errorBody = '' }: Exchange): unknown {
  try {
    const body: unknown = JSON.parse(errorBody);
    return isObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Ids and cursors differ each time, so only the status and the path without its query are compared. */
function described({ request, status, contentType = 'no Content-Type' }: Exchange): string {
  return `${status} (${contentType}) to ${request.replace(/\?.*/, '?…')}`;
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
