// Starts an OpenID Connect issuer in a process of its own.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export interface IssuerOrder {
  readonly redirectUri: string;
  /** Of the person who signs in next. */
  readonly claims: Readonly<Record<string, unknown>> & { readonly sub: string };
}

export class ExternalIssuer {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, process: ChildProcess) {
    this.url = url;
    this.#process = process;
  }

  static async start(): Promise<ExternalIssuer> {
    const file = new URL('external-issuer-process.ts', import.meta.url);
    // Its library prints a notice about each setting that it would have otherwise.
    const child = fork(file, { stdio: 'ignore' });
    const [url] = (await once(child, 'message')) as [string];
    return new ExternalIssuer(url, child);
  }

  async obey(order: IssuerOrder): Promise<void> {
    this.#process.send(order);
    await once(this.#process, 'message');
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill();
    await once(this.#process, 'exit');
  }
}
