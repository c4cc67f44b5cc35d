// Follows the clients of the feed: where each is, and whether it pages in a way that loses or repeats objects.

import { HOUR, MINUTE } from '../domain/instant.ts';
import type { FeedConsumer } from '../store/usage.ts';
import type { FeedPoll } from './feed-polls.ts';

export const MISTAKES = [
  /** The same page three times in a row: the client does not store where it is. */
  'SAME_PAGE_AGAIN',
  /** The whole feed from its start for the third time in a day. */
  'FROM_THE_START',
  /** `added_after` is more than an hour earlier than the client had got. */
  'STEPPED_BACK',
  /** There was a next page, and the client went on behind later objects. */
  'SKIPPED_PAGES',
  /** A limit above the greatest page, which is 5,000: pages are shorter than asked for. */
  'LIMIT_TOO_LARGE',
] as const;
export type Mistake = (typeof MISTAKES)[number];

/** Consumers that are followed at once. */
const MOST_FOLLOWED = 10_000;
const GREATEST_PAGE = 5_000;
const REPEATS = 3;
/** A late thread's polls come in order after this time. */
const SETTLE = 2_000;
const MICROS = 1_000;

interface Followed {
  last: FeedPoll;
  same: number;
  starts: number[];
  polls: number;
  mistakes: Map<Mistake, { count: number; lastAt: number }>;
  writtenAt: number;
}

export interface ConsumerTracking {
  /** Takes polls of any thread, in any order. */
  readonly add: (polls: readonly FeedPoll[]) => void;
  /** What has to be stored now: each consumer at most once a minute. @param last whether nothing comes any more. */
  readonly due: (now: number, last?: boolean) => readonly FeedConsumer[];
}

export function createConsumerTracking(): ConsumerTracking {
  const followed = new Map<string, Followed>();
  let waiting: FeedPoll[] = [];

  const follow = (poll: FeedPoll): void => {
    const key = JSON.stringify([poll.account, poll.credential, poll.collection, poll.agent]);
    const known = followed.get(key);
    if (known === undefined) {
      const starts = isFromTheStart(poll) ? [poll.at] : [];
      const mistakes: Followed['mistakes'] = new Map();
      const first = { last: poll, same: 1, starts, polls: 1, mistakes, writtenAt: 0 };
      noteMistakes(first, poll, isLimitTooLarge(poll) ? ['LIMIT_TOO_LARGE'] : []);
      const [oldest] = followed.keys();
      if (followed.size >= MOST_FOLLOWED && oldest !== undefined) followed.delete(oldest);
      followed.set(key, first);
      return;
    }
    // The one that polled longest ago comes first.
    followed.delete(key);
    followed.set(key, known);
    noteMistakes(known, poll, mistakesOf(known, poll));
    known.last = poll;
    known.polls += 1;
  };

  return {
    add: (polls) => {
      waiting.push(...polls.slice(0, MOST_FOLLOWED - waiting.length));
    },
    due: (now, last = false) => {
      const settled = (poll: FeedPoll) => last || poll.at <= now - SETTLE;
      for (const poll of waiting.filter(settled).sort((one, other) => one.at - other.at)) follow(poll);
      waiting = waiting.filter((poll) => !settled(poll));
      const due: FeedConsumer[] = [];
      for (const one of followed.values()) {
        if (one.polls === 0 || (!last && now - one.writtenAt < MINUTE)) continue;
        const { account, credential, collection, position, at: polledAt, agent } = one.last;
        const mistakes = Object.fromEntries(one.mistakes);
        due.push({ account, credential, collection, position, polledAt, polls: one.polls, agent, mistakes });
        one.polls = 0;
        one.mistakes = new Map();
        one.writtenAt = now;
      }
      return due;
    },
  };
}

function noteMistakes({ mistakes }: Followed, { at }: FeedPoll, found: readonly Mistake[]): void {
  for (const name of found) mistakes.set(name, { count: (mistakes.get(name)?.count ?? 0) + 1, lastAt: at });
}

function mistakesOf(known: Followed, poll: FeedPoll): readonly Mistake[] {
  const { last } = known;
  const found: Mistake[] = [];
  const isSame = poll.next === last.next && poll.addedAfter === last.addedAfter && !poll.isEmpty;
  known.same = isSame ? known.same + 1 : 1;
  if (isFromTheStart(poll)) {
    known.starts = [...known.starts.filter((at) => poll.at - at < 24 * HOUR), poll.at].slice(-REPEATS);
    if (known.starts.length === REPEATS) found.push('FROM_THE_START');
  } else if (known.same >= REPEATS) {
    found.push('SAME_PAGE_AGAIN');
  }
  const { addedAfter } = poll;
  if (addedAfter !== undefined && addedAfter !== last.addedAfter && poll.next === undefined) {
    if (addedAfter < last.position - HOUR * MICROS) found.push('STEPPED_BACK');
    // Its next page begins behind what it had got.
    if (last.more && addedAfter > last.position) found.push('SKIPPED_PAGES');
  }
  if (isLimitTooLarge(poll) && !isLimitTooLarge(last)) found.push('LIMIT_TOO_LARGE');
  return found;
}

function isFromTheStart({ addedAfter, next, isEmpty }: FeedPoll): boolean {
  return addedAfter === undefined && next === undefined && !isEmpty;
}

function isLimitTooLarge({ limit = 0 }: FeedPoll): boolean {
  return limit > GREATEST_PAGE;
}
