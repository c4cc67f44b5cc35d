// Polls of the feed, as the threads that answer HTTP collect them for the thread that follows consumers.

import { type Clock, SECOND } from '../domain/instant.ts';

/** One page that was answered. */
export interface FeedPoll {
  readonly account: string;
  readonly credential: string;
  readonly collection: string;
  readonly at: number;
  /** At most MOST_AGENT characters. */
  readonly agent: string;
  /** As asked; absent for the start of the feed. Microseconds. */
  readonly addedAfter?: number;
  /** A fingerprint of the cursor. */
  readonly next?: string;
  readonly limit?: number;
  /** The date behind which the client is after this page. */
  readonly position: number;
  readonly isEmpty: boolean;
  /** Whether the answer had a cursor. */
  readonly more: boolean;
}

/** It never waits and never fails, because it serves display. */
export type NotePoll = (poll: Omit<FeedPoll, 'at'>) => void;

export const MOST_AGENT = 120;

const COLLECT = SECOND;
/** Polls of one turn; those beyond are not followed. */
const MOST = 1_000;

export function createFeedPolls(
  write: (polls: readonly FeedPoll[]) => Promise<void>,
  clock: Clock,
): NotePoll {
  let collected: FeedPoll[] = [];
  const flush = (): void => {
    const polls = collected;
    collected = [];
    write(polls).catch(() => undefined);
  };
  return (poll) => {
    if (collected.length >= MOST) return;
    if (collected.length === 0) setTimeout(flush, COLLECT).unref();
    collected.push({ ...poll, at: clock() });
  };
}
