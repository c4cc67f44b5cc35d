// A client of server-sent events: the header, then event by event. Each has a connection of its own.

import assert from 'node:assert/strict';
import { type IncomingMessage, request } from 'node:http';

export interface ServerEvent {
  readonly name: string;
  readonly id: string;
  // The contract decides the members; tests name those that they expect.
  readonly data: Readonly<Record<string, { readonly [member: string]: unknown }>>;
}

const PATIENCE_MS = 30_000;

export class EventStreamClient implements AsyncDisposable {
  readonly #answer: IncomingMessage;
  readonly #pieces: AsyncIterator<string>;
  #text = '';
  /** Of the last event or heartbeat. */
  lastEventId = '';

  private constructor(answer: IncomingMessage) {
    this.#answer = answer.setEncoding('utf8');
    this.#pieces = answer[Symbol.asyncIterator]();
  }

  /** Rejects with the status unless it is 200. */
  static async open(url: string, credential: string, lastEventId?: string): Promise<EventStreamClient> {
    const headers = {
      authorization: `Bearer ${credential}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { agent: false, headers }).on('response', resolve).on('error', reject).end();
    });
    if (answer.statusCode !== 200) {
      answer.destroy();
      throw new Error(`status ${answer.statusCode}`);
    }
    assert.equal(answer.headers['content-type'], 'text/event-stream');
    return new EventStreamClient(answer);
  }

  /** The next event. Undefined at the end of the stream. */
  async next(): Promise<ServerEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end === -1) {
        const piece = await this.#read();
        if (piece === undefined) return undefined;
        this.#text += piece;
        continue;
      }
      const lines = this.#text.slice(0, end).split('\n');
      this.#text = this.#text.slice(end + 2);
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      this.lastEventId = field('id') ?? this.lastEventId;
      const data = field('data');
      if (data !== undefined)
        return { name: field('event') ?? '', id: this.lastEventId, data: JSON.parse(data) };
    }
  }

  /** The next event, which must have this name. */
  async expect(name: string): Promise<ServerEvent> {
    const event = await this.next();
    assert.equal(event?.name, name, JSON.stringify(event));
    return event;
  }

  async #read(): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no event within ${PATIENCE_MS} ms`)), PATIENCE_MS);
    });
    const { value, done } = await Promise.race([this.#pieces.next(), late]).finally(() =>
      clearTimeout(timer),
    );
    return done === true ? undefined : value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#answer.destroy();
  }
}
