// A cache that forgets: each entry after its time, and the oldest one when there are too many.

import type { Clock, Instant } from '../../domain/instant.ts';

export interface ExpiringCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value, until: Instant): void;
}

export function createExpiringCache<Value>(limit: number, clock: Clock): ExpiringCache<Value> {
  const entries = new Map<string, { readonly value: Value; readonly until: Instant }>();
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      if (entry.until > clock()) return entry.value;
      entries.delete(key);
      return undefined;
    },
    set: (key, value, until) => {
      // Deleted first, so that it counts as new: a Map lists its keys in the order of their first insertion.
      entries.delete(key);
      entries.set(key, { value, until });
      if (entries.size > limit) {
        const [oldest] = entries.keys();
        if (oldest !== undefined) entries.delete(oldest);
      }
    },
  };
}
