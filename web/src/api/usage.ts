// The use of the account: what is billed, and what was over a limit.

import { call } from './client.ts';

export interface DayOfUse {
  /** Begin of the day in UTC, RFC 3339. */
  readonly start: string;
  readonly searchCount: number;
  readonly returnedCount: number;
  readonly lookupCount: number;
  readonly lookupRequestCount: number;
}

export interface DayOfRefusals {
  readonly start: string;
  readonly requests: number;
}

interface Days {
  readonly days: readonly DayOfUse[];
  readonly refusals: readonly DayOfRefusals[];
}

export interface CredentialUse extends Days {
  /** Id of a key, or that of a person. */
  readonly id: string;
  /** The name of a key, the login of a person. */
  readonly name?: string;
}

export interface AccountUse extends Days {
  readonly account: string;
  readonly credentials: readonly CredentialUse[];
  /** False if the account has more credentials than the answer. */
  readonly complete: boolean;
}

/** Days that overlap the window count as a whole. */
export function accountUse(start: Date, end: Date) {
  const query = { start: start.toISOString(), end: end.toISOString() };
  return call<AccountUse>('/app/data/usage', { query });
}

/** Units of a day: pages of searches and values looked up. */
export function unitsOf({ searchCount, lookupCount }: DayOfUse): number {
  return searchCount + lookupCount;
}
