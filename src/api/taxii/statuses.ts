// Status resources of submissions (TAXII 2.1 §4.3) and their stored form. The stored form takes about the size of the request at
// most: each verdict is stored once, and objects without an id are only counted.

import { formatMicros } from '../../domain/date-added.ts';
import type { Instant } from '../../domain/instant.ts';

export interface Verdict {
  readonly failed: boolean;
  readonly message?: string;
}

/** The result of one object. */
export interface Outcome {
  /** As it was sent; undefined if the object had none. */
  readonly id: string | undefined;
  readonly version: string | undefined;
  readonly verdict: Verdict;
}

export interface KeptStatus {
  /** `request_timestamp`. */
  readonly requested: string;
  /** Without repeats. */
  readonly verdicts: readonly Verdict[];
  /** In the order of the envelope. */
  readonly outcomes: readonly KeptOutcome[];
}

/** `verdict` is an index of `verdicts`. `times` counts consecutive objects that had neither id nor version. */
type KeptOutcome =
  | readonly [verdict: number, id: string | null, version?: string]
  | readonly [verdict: number, times: number];

export function keptStatus(requestedAt: Instant, outcomes: readonly Outcome[]): KeptStatus {
  const verdicts: Verdict[] = [];
  const places = new Map<string, number>();
  const placeOf = (verdict: Verdict): number => {
    const key = JSON.stringify([verdict.failed, verdict.message]);
    const place = places.get(key) ?? verdicts.push(verdict) - 1;
    places.set(key, place);
    return place;
  };
  const kept: KeptOutcome[] = [];
  for (const { id, version, verdict } of outcomes) {
    const place = placeOf(verdict);
    const [before, times] = kept.at(-1) ?? [];
    if (version !== undefined) kept.push([place, id ?? null, version]);
    else if (id !== undefined) kept.push([place, id]);
    else if (place === before && typeof times === 'number') kept.splice(-1, 1, [place, times + 1]);
    else kept.push([place, 1]);
  }
  return { requested: formatMicros(requestedAt * 1_000), verdicts, outcomes: kept };
}

interface Detail {
  readonly id: string;
  readonly version: string;
  readonly message?: string;
}

/** §4.3.1: the counts add up to the total, and empty lists are left out. */
export function statusResource(statusId: string, { requested, verdicts, outcomes }: KeptStatus): object {
  const successes: Detail[] = [];
  const failures: Detail[] = [];
  const add = (verdict: number, id: string | null, version: string | undefined): void => {
    const { failed, message } = verdicts[verdict] ?? { failed: true };
    (failed ? failures : successes).push({
      // An object without an id is named by its place. Without a version it gets the time of the request.
      id: id ?? `objects[${successes.length + failures.length}]`,
      version: version ?? requested,
      ...(message !== undefined && { message }),
    });
  };
  for (const [verdict, what, version] of outcomes) {
    if (typeof what !== 'number') add(verdict, what, version);
    else for (let count = 0; count < what; count++) add(verdict, null, undefined);
  }
  return {
    id: statusId,
    status: 'complete',
    request_timestamp: requested,
    total_count: successes.length + failures.length,
    success_count: successes.length,
    ...(successes.length > 0 && { successes }),
    failure_count: failures.length,
    ...(failures.length > 0 && { failures }),
    pending_count: 0,
  };
}
