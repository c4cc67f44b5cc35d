// A client of the service over real HTTP: arbitrary requests, and the operations of the contract with their types.

import assert from 'node:assert/strict';
import type { IngestReply, SearchReply, WireEvent, WireIndicator, WireReceipt } from './wire.ts';

export interface RequestParts {
  readonly method?: string;
  /** Sent as `Bearer`. Without it no header is sent. */
  readonly credential?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

export class Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;

  constructor(status: number, headers: Headers, text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  /** @throws when the body is not JSON. */
  json<Body>(): Body {
    return JSON.parse(this.text) as Body;
  }

  /** The body of an answer that must have this status. */
  expect<Body>(status: number): Body {
    assert.equal(this.status, status, this.text);
    return this.json<Body>();
  }
}

/** Whether the service says that it has too much to do. */
export function isBusy({ status }: Answer): boolean {
  return status === 429 || status === 503;
}

/** Far longer than any answer takes. */
const PATIENCE_MS = 60_000;

export async function send(url: string, parts: RequestParts = {}): Promise<Answer> {
  const { method = 'GET', credential, headers, body } = parts;
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: {
      ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return new Answer(response.status, response.headers, await response.text());
}

/** Requests with one credential. The operations expect 200; `send` takes any answer. */
export class RestClient {
  readonly #url: string;
  readonly #credential: string | undefined;

  constructor(url: string, credential?: string) {
    this.#url = url;
    this.#credential = credential;
  }

  send(path: string, parts: RequestParts = {}): Promise<Answer> {
    return send(this.#url + path, { credential: this.#credential, ...parts });
  }

  async search(request: object = {}): Promise<SearchReply> {
    return (await this.send('/v1/indicators/search', { method: 'POST', body: request })).expect(200);
  }

  /** The indicator of a value, undefined when there is none. */
  async find(value: string): Promise<WireIndicator | undefined> {
    const { indicators } = await this.search({ query: `"${value}"`, pageSize: 1_000 });
    return indicators.find((indicator) => indicator.value === value);
  }

  async get(id: string): Promise<WireIndicator> {
    return (await this.send(`/v1/indicators/${id}`)).expect(200);
  }

  async explain(id: string): Promise<WireReceipt> {
    return (await this.send(`/v1/indicators/${id}:explain`)).expect(200);
  }

  async verify(id: string, request?: object): Promise<WireIndicator> {
    return (await this.send(`/v1/indicators/${id}:verify`, { method: 'POST', body: request })).expect(200);
  }

  async ingest(events: readonly WireEvent[], requestId?: string): Promise<IngestReply> {
    const body = requestId === undefined ? { events } : { events, requestId };
    return (await this.send('/v1/sensorEvents:ingest', { method: 'POST', body })).expect(200);
  }
}
