// Requests to the server under test: one at a time, to one origin, without following redirects, bounded in time and size.

import http from 'node:http';
import https from 'node:https';
import { Answer } from './answer.ts';
import type { Credential } from './credential.ts';
import type { Patience } from './patience.ts';

export const TAXII_MEDIA_TYPE = 'application/taxii+json;version=2.1';

export interface RequestParts {
  readonly method?: string;
  /** Replace the usual header fields. Null removes one. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string | Buffer;
  /** Whether to send no credential. */
  readonly anonymous?: boolean;
}

export interface HttpClientOptions {
  /** Scheme, host and port. No request goes anywhere else, so the credential cannot leak. */
  readonly origin: URL;
  readonly credential: Credential;
  /** Time limit of one answer, from the request to the last byte. */
  readonly timeoutMs: number;
  readonly patience: Patience;
}

/** The parts of an answer that the rules about all answers need. */
export interface Exchange {
  readonly request: string;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly hasBody: boolean;
  /** The body of an error, cut to the length of a message. Undefined for other answers and for compressed bodies. */
  readonly errorBody: string | undefined;
}

/** There was no answer: the connection was refused or reset, timed out, or the answer was too long. */
export class NoAnswer extends Error {}

const MAX_ANSWER_BYTES = 256 * 1024 * 1024;
const MAX_ERROR_BYTES = 16 * 1024;
const PIECE_BYTES = 64 * 1024;

export class HttpClient {
  readonly exchanges: Exchange[] = [];
  readonly credential: Credential;
  readonly #origin: URL;
  readonly #timeoutMs: number;
  readonly #patience: Patience;
  #requests = 0;
  readonly #agent: http.Agent;

  constructor({ origin, credential, timeoutMs, patience }: HttpClientOptions) {
    this.credential = credential;
    this.#origin = origin;
    this.#timeoutMs = timeoutMs;
    this.#patience = patience;
    const options = { keepAlive: true, maxSockets: 1 };
    this.#agent = origin.protocol === 'https:' ? new https.Agent(options) : new http.Agent(options);
  }

  get isHttps(): boolean {
    return this.#origin.protocol === 'https:';
  }

  get isLoopback(): boolean {
    return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(this.#origin.hostname);
  }

  /** Number of requests sent, including those answered with "later". */
  get requests(): number {
    return this.#requests;
  }

  /**
   * @param path with its query, below the origin.
   * @throws NoAnswer; ToldToWait if the server answers "later" and no time is left.
   */
  async send(path: string, parts: RequestParts = {}): Promise<Answer> {
    for (let waits = 0; ; waits++) {
      const answer = await this.#exchange(path, parts);
      if (await this.#patience.waitedFor(answer, waits)) continue;
      this.exchanges.push({
        request: answer.request,
        status: answer.status,
        contentType: answer.header('content-type'),
        hasBody: answer.body.length > 0,
        errorBody: errorBodyOf(answer),
      });
      return answer;
    }
  }

  /** Closes the connection. */
  close(): void {
    this.#agent.destroy();
  }

  #exchange(path: string, parts: RequestParts): Promise<Answer> {
    const { method = 'GET', body } = parts;
    const name = `${method} ${path}`;
    const isSafe = method === 'GET' || method === 'HEAD';
    this.#requests += 1;
    return new Promise((resolve, reject) => {
      let isAnswered = false;
      const deadline = AbortSignal.timeout(this.#timeoutMs);
      const late = `no whole answer within ${this.#timeoutMs} ms`;
      const fail = (error: Error & { readonly code?: string }) => {
        // The server may close an idle connection just when it is used again. That says nothing about the request.
        const raced = request.reusedSocket && !isAnswered && error.code === 'ECONNRESET';
        if (raced) resolve(this.#exchange(path, parts));
        else reject(new NoAnswer(`${name}: ${deadline.aborted ? late : error.message.trim() || error.code}`));
      };
      const request = (this.isHttps ? https : http).request(
        {
          // A request that changes something may have arrived although no answer came, so it must not be sent again. A new
          // connection cannot have been closed for idleness.
          agent: isSafe && this.#agent,
          protocol: this.#origin.protocol,
          // A URL writes IPv6 addresses in brackets, a socket does not.
          hostname: this.#origin.hostname.replace(/^\[|\]$/g, ''),
          port: this.#origin.port,
          method,
          path,
          headers: this.#headers(parts),
          signal: deadline,
        },
        (response) => {
          isAnswered = true;
          const chunks: Buffer[] = [];
          let length = 0;
          response.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            length += chunk.length;
            if (length > MAX_ANSWER_BYTES) request.destroy(new Error(`more than ${MAX_ANSWER_BYTES} bytes`));
          });
          response.on('end', () => {
            resolve(new Answer(name, response.statusCode ?? 0, response.headers, Buffer.concat(chunks)));
            // A half-sent request would block the connection.
            if (!request.writableEnded) request.destroy();
          });
          response.on('error', fail);
        },
      );
      request.on('error', fail);
      // The body is sent in pieces. A server may refuse a long body early. If the connection broke while the rest is sent,
      // the answer would be lost.
      const bytes = Buffer.from(body ?? '');
      const sendFrom = (start: number) => {
        if (isAnswered || request.destroyed) return;
        const end = start + PIECE_BYTES;
        if (end >= bytes.length) request.end(bytes.subarray(start));
        else request.write(bytes.subarray(start, end), () => setImmediate(sendFrom, end));
      };
      sendFrom(0);
    });
  }

  #headers({ headers, anonymous, body }: RequestParts): Record<string, string> {
    const merged: Record<string, string | null> = {
      accept: TAXII_MEDIA_TYPE,
      'user-agent': 'taxii-conformance',
      ...(anonymous === true ? {} : this.credential),
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      ...headers,
    };
    return Object.fromEntries(
      Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== null),
    );
  }
}

function errorBodyOf({ status, body, headers }: Answer): string | undefined {
  const isCoded = headers['content-encoding'] !== undefined;
  return status < 400 || isCoded ? undefined : body.toString('utf8', 0, MAX_ERROR_BYTES);
}
