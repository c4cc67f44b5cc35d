// Turns at decoding a body and handing it to the thread that writes. A decoded body takes many times its bytes in both
// threads, so few are decoded at once. The others wait as received, and callers take turns.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { callerOf } from './admission.ts';
import { bodyOf } from './body-reader.ts';
import { FairQueue } from './fair-queue.ts';

export interface WorkTurns {
  /**
   * Waits for a turn, does the work, and gives the turn to the next. Without waiting, the work begins at once.
   * Rejects with ServiceError `aborted`, and does not begin, when the caller has gone meanwhile.
   */
  run<Result>(turn: Turn, work: () => Promise<Result>): Promise<Result>;
}

export interface Turn {
  readonly caller: string;
  /** Of the body. */
  readonly bytes: number;
  /** Called with a function to be called when the caller goes. */
  readonly onGone: (gone: () => void) => unknown;
}

/** The turn that an admitted request needs for its body. */
export function turnOf(request: FastifyRequest, { raw }: FastifyReply): Turn {
  return {
    caller: callerOf(request).id,
    // A request without a body needs a turn too.
    bytes: Math.max(1, bodyOf(request).length),
    onGone: (gone) => (raw.destroyed ? gone() : raw.once('close', gone)),
  };
}

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/** @param limit bytes of the bodies whose turn it is. One body is always accepted; one caller gets half of it. */
export function createWorkTurns(limit: number): WorkTurns {
  const queue = new FairQueue<Waiting>();
  const working = new Map<string, number>();
  let total = 0;

  const accepts = (caller: string, { bytes }: { readonly bytes: number }): boolean => {
    if (total === 0) return true;
    const own = working.get(caller) ?? 0;
    return total + bytes <= limit && (own === 0 || own + bytes <= limit / 2);
  };
  const begin = (caller: string, bytes: number): void => {
    total += bytes;
    working.set(caller, (working.get(caller) ?? 0) + bytes);
  };
  const end = (caller: string, bytes: number): void => {
    total -= bytes;
    const own = (working.get(caller) ?? 0) - bytes;
    if (own === 0) working.delete(caller);
    else working.set(caller, own);
    beginNext();
  };
  const beginNext = (): void => {
    for (let next = queue.take(accepts); next !== undefined; next = queue.take(accepts)) next.begin();
  };

  const wait = ({ caller, bytes, onGone }: Turn): Promise<void> =>
    new Promise((resolve, reject) => {
      const waiting: Waiting = {
        bytes,
        begin: () => {
          begin(caller, bytes);
          resolve();
        },
      };
      queue.add(caller, waiting);
      beginNext();
      onGone(() => {
        queue.remove(caller, waiting);
        // Without effect once the work has begun.
        reject(new ServiceError('aborted', 'the client has gone', { reason: 'CLIENT_GONE' }));
      });
    });

  return {
    run: async (turn, work) => {
      const { caller, bytes } = turn;
      if (queue.isEmpty && accepts(caller, turn)) begin(caller, bytes);
      else await wait(turn);
      try {
        return await work();
      } finally {
        end(caller, bytes);
      }
    },
  };
}
