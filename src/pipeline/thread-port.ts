// Commands carried over a message port, so that the thread that answers HTTP never waits for the disk.

import type { MessagePort, Worker } from 'node:worker_threads';
import { ServiceError } from '../domain/errors.ts';
import type { Commands } from './commands.ts';

/** What a thread says once it takes commands, and what it is told when it shall end after the batch in hand. */
export const READY = 'ready';
export const STOP = 'stop';

interface Call {
  readonly call: number;
  readonly command: keyof Commands;
  readonly given: readonly unknown[];
}

/** A ServiceError as plain values: structured cloning loses classes. */
interface Failure {
  readonly code: ServiceError['code'];
  readonly message: string;
  readonly details: Omit<ServiceError['details'], 'cause'>;
}

type Answer =
  | { readonly call: number; readonly value: unknown }
  | { readonly call: number; readonly failure: Failure };

/** The calling side. Calls that are under way reject with `unavailable` when the other side ends. */
export function callCommands(thread: Worker): Commands {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let calls = 0;

  thread.on('message', (answer: Answer) => {
    const caller = waiting.get(answer.call);
    if (caller === undefined) return;
    waiting.delete(answer.call);
    if ('failure' in answer) {
      caller.reject(new ServiceError(answer.failure.code, answer.failure.message, answer.failure.details));
    } else {
      caller.resolve(answer.value);
    }
  });
  thread.on('exit', () => {
    for (const caller of waiting.values()) caller.reject(stopped());
    waiting.clear();
  });

  const call = (command: keyof Commands, given: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      calls += 1;
      waiting.set(calls, { resolve, reject });
      thread.postMessage({ call: calls, command, given } satisfies Call);
    });

  return {
    ingest: (...given) => call('ingest', given) as ReturnType<Commands['ingest']>,
    verify: (...given) => call('verify', given) as ReturnType<Commands['verify']>,
  };
}

/** The answering side. */
export function answerCommands(
  port: MessagePort,
  commands: Commands,
  onError: (error: unknown) => void,
): void {
  port.on('message', (message: Call) => {
    if (typeof message?.call !== 'number') return;
    const { call, command, given } = message;
    const run = commands[command] as (...given: readonly unknown[]) => Promise<unknown>;
    run(...given).then(
      (value) => port.postMessage({ call, value } satisfies Answer),
      (error: unknown) => {
        if (!(error instanceof ServiceError) || error.code === 'internal') onError(error);
        port.postMessage({ call, failure: toFailure(error) } satisfies Answer);
      },
    );
  });
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
