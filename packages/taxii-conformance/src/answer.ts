// One answer of the server under test, with checks on it.

import type { IncomingHttpHeaders } from 'node:http';
import { isObject, type JsonObject, shown } from './json-value.ts';
import { check, Violation } from './violation.ts';

export class Answer {
  /** Method and path, for messages. */
  readonly request: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As received: a compressed body stays compressed. */
  readonly body: Buffer;

  constructor(request: string, status: number, headers: IncomingHttpHeaders, body: Buffer) {
    this.request = request;
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  header(name: string): string | undefined {
    const value = this.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /** @throws Violation if the status is another one. */
  expect(...statuses: readonly number[]): this {
    const place = this.header('location');
    const seen = place === undefined ? this.status : `${this.status} to ${shown(place)}`;
    check(statuses.includes(this.status), `${this.request}: ${seen}, where ${statuses.join(' or ')} is due`);
    return this;
  }

  /** @throws Violation if the body is not JSON. */
  json(): unknown {
    try {
      return JSON.parse(this.body.toString('utf8'));
    } catch {
      throw new Violation(
        `${this.request}: the body is not JSON: ${shown(this.body.toString('utf8', 0, 60))}`,
      );
    }
  }

  /** @throws Violation if the answer is not a 200 with a JSON object. */
  object(): JsonObject {
    const value = this.expect(200).json();
    check(isObject(value), `${this.request}: the body is not a JSON object: ${shown(value)}`);
    return value;
  }
}
