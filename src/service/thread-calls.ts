// Calls over a message port: the thread that answers HTTP asks a thread that writes, and never waits for the disk itself.
// Arguments and answers are plain values, since structured cloning drops functions and classes.

import type { MessagePort, Worker } from 'node:worker_threads';
import { ServiceError } from '../domain/errors.ts';

/** What a thread can be asked for: functions by name. */
type Calls<Api> = { readonly [Name in keyof Api]: (...given: never[]) => Promise<unknown> };

/** The way to a thread: from the one that started it, or a port that leads to it from another one. */
type Way = Pick<Worker | MessagePort, 'postMessage'> & {
  on(event: string, listener: (given: unknown) => void): unknown;
};

/** The first message of a thread, sent once it takes calls. */
export interface Ready {
  /** Names of its calls. */
  readonly ready: readonly string[];
}

interface Call {
  readonly call: number;
  readonly name: string;
  readonly given: readonly unknown[];
}

/** A ServiceError as plain values. */
interface Failure {
  readonly code: ServiceError['code'];
  readonly message: string;
  readonly details: Omit<ServiceError['details'], 'cause'>;
}

type Answer =
  | { readonly call: number; readonly value: unknown }
  | { readonly call: number; readonly failure: Failure };

/**
 * The calling side. Rejects with `unavailable` when the thread ends, or has ended, before it answers.
 * @param names of the calls, as the thread gave them in its first message.
 */
export function callThread<Api extends Calls<Api>>(thread: Way, names: readonly string[]): Api {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let calls = 0;
  let ended = false;

  thread.on('message', (message) => {
    const answer = message as Answer;
    const caller = waiting.get(answer.call);
    if (caller === undefined) return;
    waiting.delete(answer.call);
    if ('failure' in answer) {
      caller.reject(new ServiceError(answer.failure.code, answer.failure.message, answer.failure.details));
    } else {
      caller.resolve(answer.value);
    }
  });
  const end = () => {
    ended = true;
    for (const caller of waiting.values()) caller.reject(stopped());
    waiting.clear();
  };
  thread.on('exit', end);
  thread.on('close', end);

  const call = (name: string, given: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (ended) return reject(stopped());
      calls += 1;
      waiting.set(calls, { resolve, reject });
      thread.postMessage({ call: calls, name, given } satisfies Call);
    });

  const entries = names.map((name) => [name, (...given: unknown[]) => call(name, given)]);
  // The thread names the members of the `Api` that it answers: both sides share the type.
  return Object.fromEntries(entries) as Api;
}

/** Calls over a port that `answerCalls` was given the other end of. Rejects when that thread has ended. */
export async function callOverPort<Api extends Calls<Api>>(port: MessagePort): Promise<Api> {
  const { ready } = await new Promise<Ready>((resolve, reject) => {
    port.once('message', resolve);
    port.once('close', () => reject(stopped()));
  });
  return callThread<Api>(port, ready);
}

/**
 * The answering side. Sends `Ready` once it listens.
 * @param onError hears of every failure that the caller is told as `internal`.
 */
export function answerCalls<Api extends Calls<Api>>(
  port: MessagePort,
  api: Api,
  onError: (error: unknown) => void,
): void {
  const functions = new Map<string, (...given: readonly unknown[]) => Promise<unknown>>(
    Object.entries(api satisfies object),
  );
  port.on('message', (message: Call) => {
    if (typeof message?.call !== 'number') return;
    const { call, name, given } = message;
    const run = functions.get(name) ?? (() => Promise.reject(new Error(`the thread has no ${name}`)));
    run(...given).then(
      (value) => port.postMessage({ call, value } satisfies Answer),
      (error: unknown) => {
        if (!(error instanceof ServiceError) || error.code === 'internal') onError(error);
        port.postMessage({ call, failure: toFailure(error) } satisfies Answer);
      },
    );
  });
  port.postMessage({ ready: [...functions.keys()] } satisfies Ready);
}

function toFailure(error: unknown): Failure {
  if (!(error instanceof ServiceError)) {
    return { code: 'internal', message: 'internal error', details: { reason: 'INTERNAL' } };
  }
  const { cause: _, ...details } = error.details;
  return { code: error.code, message: error.message, details };
}

function stopped(): ServiceError {
  return new ServiceError('unavailable', 'the service is stopping', {
    reason: 'STOPPING',
    retryAfterMs: 1_000,
  });
}
