// Requests over the limit, by credential: a person who wonders about missing answers sees them beside the use. They are
// collected for some seconds, because a client over its limit may send thousands a second.

import { type Clock, SECOND } from '../domain/instant.ts';
import type { Refusals } from '../store/usage.ts';

/** Counts a refused request. It never waits and never fails, because it serves display and not billing. */
export type NoteRefusal = (holder: { readonly account: string; readonly id: string }) => void;

/** A crash loses at most this much. */
const COLLECT = 5 * SECOND;
/** Credentials that are collected at once. Those beyond are not counted. */
const MOST = 10_000;

export function createRefusals(
  write: (refusals: readonly Refusals[]) => Promise<void>,
  clock: Clock,
): NoteRefusal {
  let collected = new Map<string, Refusals>();

  const flush = (): void => {
    const refusals = [...collected.values()];
    collected = new Map();
    write(refusals).catch(() => undefined);
  };

  return ({ account, id }) => {
    const known = collected.get(id);
    if (known === undefined && collected.size >= MOST) return;
    if (collected.size === 0) setTimeout(flush, COLLECT).unref();
    collected.set(id, { account, credential: id, at: clock(), requests: (known?.requests ?? 0) + 1 });
  };
}
