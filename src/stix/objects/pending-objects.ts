// What is due about an indicator besides its own next version.

import type { FeedAppend } from '../../store/stores.ts';

/**
 * What makes everything about an indicator due at once: its marking is another one, or it came to match a collection.
 * In the latter case only the store knows whether it joins with this version: a collection that was declared late has
 * taken it in already.
 */
export type Move = 'marking' | 'collections';

/** Objects of one kind that are due, what they refer to, and all that is then known of this kind. */
export interface Due<Known> {
  readonly references: readonly FeedAppend[];
  readonly entries: readonly FeedAppend[];
  readonly known: Readonly<Record<string, Known>>;
}

export const NOTHING_DUE: Due<never> = { references: [], entries: [], known: {} };
