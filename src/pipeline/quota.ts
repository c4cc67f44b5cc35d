// What a reporter may add to the store on one UTC day (docs/decisions/0026-quotas-and-pruning.md).
//
// A bound for each reporter, and a bound for all of them together. The last quarter of the bound for all is reserved for
// reporters that have added little on that day, so that a few floods leave room for the others.

import { type Growth, isRepeat } from '../domain/indicator/growth.ts';

export interface QuotaLimits {
  /** Of one reporter on one UTC day. */
  readonly each: Growth;
  /** Of all reporters together. */
  readonly all: Growth;
}

export const QUOTA_REFUSALS = ['NEW_VALUE_QUOTA', 'STORED_BYTES_QUOTA', 'TOTAL_QUOTA'] as const;
export type QuotaRefusalReason = (typeof QUOTA_REFUSALS)[number];

/** What was added on one day: by one reporter, and by all. */
interface DayGrowth {
  readonly own: Growth;
  readonly all: Growth;
}

interface Allowance {
  /** Counts what an event adds, unless that is too much: then it resolves to the reason and counts nothing. */
  take(growth: Growth): QuotaRefusalReason | undefined;
  /** What was taken so far. */
  readonly taken: Growth;
}

const RESERVED = 1 / 4;
/** A reporter below this share of the bound for all may use what is reserved. */
const SMALL = 1 / 1_000;
/** An event that only adds to a count costs little. It is accepted up to this multiple of the bound of its reporter. */
const REPEATS = 2;

export function createAllowance({ own, all }: DayGrowth, limits: QuotaLimits): Allowance {
  let values = 0;
  let bytes = 0;
  const hasRoom = (kind: keyof Growth, taken: number, added: number): boolean => {
    if (added === 0) return true;
    const bound = limits.all[kind];
    const isSmall = own[kind] + taken + added <= bound * SMALL;
    return all[kind] + taken + added <= (isSmall ? bound : bound * (1 - RESERVED));
  };
  const refusalOf = (growth: Growth): QuotaRefusalReason | undefined => {
    const ownBytes = own.bytes + bytes + growth.bytes;
    if (isRepeat(growth)) return ownBytes > limits.each.bytes * REPEATS ? 'STORED_BYTES_QUOTA' : undefined;
    if (growth.values > 0 && own.values + values + growth.values > limits.each.values)
      return 'NEW_VALUE_QUOTA';
    if (ownBytes > limits.each.bytes) return 'STORED_BYTES_QUOTA';
    const fits = hasRoom('values', values, growth.values) && hasRoom('bytes', bytes, growth.bytes);
    return fits ? undefined : 'TOTAL_QUOTA';
  };
  return {
    take: (growth) => {
      const refusal = refusalOf(growth);
      if (refusal !== undefined) return refusal;
      values += growth.values;
      bytes += growth.bytes;
      return undefined;
    },
    get taken() {
      return { values, bytes };
    },
  };
}
