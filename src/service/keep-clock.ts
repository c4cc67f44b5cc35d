// Keeps the clock of a thread in step with the store, and reports a clock of the machine that stepped.

import { HOUR, SECOND, toRfc3339 } from '../domain/instant.ts';
import type { ClockState } from '../domain/service-times.ts';
import { isStoreDamaged } from '../store/damage.ts';
import type { Log } from '../telemetry/log.ts';
import type { ServiceClock } from './clock.ts';

/** How often the stored times are read: an acceptance of the operator takes effect within this time. */
const LOOK = SECOND;
/** How often the times are stored. A crash loses at most this much of them. */
const SAVE = 10 * SECOND;
/** How often the log repeats that the clock is wrong. */
const REPEAT = HOUR;

const MESSAGES: Readonly<Record<ClockState, string>> = {
  steady: 'the clock of the machine is steady again',
  ahead: 'the clock of the machine stepped forward; set it right, or accept it with: tis clock accept',
  behind: 'the clock of the machine stepped back; set it right, or accept it with: tis clock accept',
};

/** What a thread does besides reading the stored times. */
export interface ClockDuties {
  /** Store the times. One thread of a process does so. */
  readonly saves: boolean;
  /** Write to the log when the state of the clock changes, and every hour while it is not steady. */
  readonly reports: boolean;
}

/** @returns a function that ends this. It resolves when the last times are stored. */
export function keepClock(
  clock: ServiceClock,
  { saves, reports }: ClockDuties,
  log: Log,
): () => Promise<void> {
  const report = reports ? reporter(log) : () => undefined;
  let savedAt = Number.NEGATIVE_INFINITY;
  let state: ClockState = 'steady';
  let working: Promise<void> | undefined;

  const work = async () => {
    const before = state;
    state = clock.report().state;
    report(clock);
    await clock.look();
    const at = performance.now();
    // A doubt is stored at once: a process that starts now has to share it.
    if (!saves || (at - savedAt < SAVE && state === before)) return;
    savedAt = at;
    await clock.save();
  };
  const start = () => {
    working ??= work()
      .catch((error: unknown) => {
        log.error(error);
        // A damaged store does not heal.
        if (isStoreDamaged(error)) clearInterval(timer);
      })
      .finally(() => {
        working = undefined;
      });
  };
  start();
  const timer = setInterval(start, LOOK);
  return async () => {
    clearInterval(timer);
    await working;
    // A disk that is full must not hinder the end.
    if (saves) await clock.save().catch((error: unknown) => log.error(error));
  };
}

function reporter(log: Log): (clock: ServiceClock) => void {
  let last: ClockState = 'steady';
  let saidAt = 0;
  return (clock) => {
    const { state, ...instants } = clock.report();
    const at = performance.now();
    if (state === last && (state === 'steady' || at - saidAt < REPEAT)) return;
    last = state;
    saidAt = at;
    const { machine, service, expiry } = instants;
    const fields = {
      clock: state,
      machine: toRfc3339(machine),
      service: toRfc3339(service),
      expiry: toRfc3339(expiry),
    };
    if (state === 'steady') log.info(fields, MESSAGES.steady);
    else log.error(fields, MESSAGES[state]);
  };
}
