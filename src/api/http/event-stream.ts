// One stream of server-sent events (HTML Standard §9.2). It has no queue: it asks for the next events when the client has
// taken those before, so a client that does not read costs one page.

import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { admitPage, holdAnswer } from './answer-room.ts';

export const EVENT_STREAM = 'text/event-stream';

/** What is sent. */
export interface EventFlow {
  /** Resolves to the next events as text. Empty: there may be more, but none of these is for the client. Undefined: no more now. */
  readonly next: () => Promise<string | undefined>;
  /** What tells the client that the connection lives. */
  readonly heartbeat: () => string;
  /** The last event, by the reason for the end. */
  readonly end: (reason: StreamEnd) => string;
}

export type StreamEnd = 'CREDENTIAL_ENDED' | 'RIGHTS_CHANGED' | 'UNAVAILABLE';

export const HEARTBEAT_SECONDS = 15;

/** Milliseconds after which a browser connects again. */
const RETRY_MS = 2_000;

/** An event. @param data on one line. */
export function eventText(name: string, data: string, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${data}\n\n`;
}

export class EventStream {
  readonly #reply: FastifyReply;
  readonly #caller: string;
  readonly #flow: EventFlow;
  readonly #onClose: () => void;
  #running = false;
  #again = false;
  #isFull = false;
  #isOver = false;
  #lastSent = performance.now();

  /** Sends the header. @param onClose runs once, whoever ends the stream. */
  constructor(reply: FastifyReply, caller: string, flow: EventFlow, onClose: () => void) {
    this.#reply = reply;
    this.#caller = caller;
    this.#flow = flow;
    this.#onClose = onClose;
    const { raw } = reply;
    reply
      .header('content-type', EVENT_STREAM)
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      // Proxies that follow nginx would keep events until they have a page of them.
      .header('x-accel-buffering', 'no');
    reply.hijack();
    raw.once('close', () => this.#over());
    raw.on('drain', () => {
      this.#isFull = false;
      holdAnswer(reply, caller, raw.writableLength);
      this.wake();
    });
    raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
    this.#write(`retry: ${RETRY_MS}\n\n`);
    if (raw.destroyed) this.#over();
  }

  /** Sends what there is, as far as the client takes it. */
  wake(): void {
    if (this.#running) this.#again = true;
    else void this.#run();
  }

  /** Ends the stream at once. A client that does not read is cut off. */
  end(reason: StreamEnd): void {
    if (this.#isOver) return;
    const { raw } = this.#reply;
    if (this.#isFull) raw.destroy();
    else raw.end(this.#flow.end(reason));
    this.#over();
  }

  fail(error: unknown): void {
    this.#reply.log.error({ err: error }, 'a stream failed');
    this.end('UNAVAILABLE');
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      do {
        this.#again = false;
        await this.#send();
      } while (this.#again && this.#isOpen());
    } catch (error) {
      this.fail(error);
    } finally {
      this.#running = false;
    }
  }

  async #send(): Promise<void> {
    while (this.#isOpen()) {
      // Without room for an answer the stream waits for the next time that it is woken.
      if (!(await this.#hasTurn())) return;
      const text = await this.#flow.next();
      if (!this.#isOpen()) return;
      if (text === undefined) break;
      if (text !== '') this.#write(text);
    }
    const isQuiet = performance.now() - this.#lastSent >= HEARTBEAT_SECONDS * 1_000;
    if (isQuiet && this.#isOpen()) this.#write(this.#flow.heartbeat());
  }

  async #hasTurn(): Promise<boolean> {
    try {
      await admitPage(this.#reply, this.#caller);
      return true;
    } catch (error) {
      if (error instanceof ServiceError) return false;
      throw error;
    }
  }

  #write(text: string): void {
    const { raw } = this.#reply;
    this.#lastSent = performance.now();
    this.#isFull = !raw.write(text);
    holdAnswer(this.#reply, this.#caller, raw.writableLength);
  }

  #isOpen(): boolean {
    return !this.#isOver && !this.#isFull;
  }

  #over(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onClose();
  }
}
