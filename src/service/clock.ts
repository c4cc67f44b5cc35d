// The clock of a thread: the times of a service (domain/service-times.ts), run by the clocks of the machine and shared
// through the store.

import { uptime } from 'node:os';
import { type Clock, HOUR, type Instant, SECOND, toRfc3339 } from '../domain/instant.ts';
import {
  acceptMachine,
  advanceTimes,
  type ClockState,
  clockState,
  firstTimes,
  laterTimes,
  resumeTimes,
  type ServiceTimes,
  STEP_TOLERANCE,
} from '../domain/service-times.ts';
import type { Stores } from '../store/stores.ts';
import { systemClock } from './stores.ts';

/** In each of these the machine may gain STEP_TOLERANCE without a doubt. */
const ANCHOR_AGE = HOUR;

/** No job waits longer: leases last a minute and retries come within ten. */
const LONGEST_WAIT = HOUR;

/** For ages and limits: it never steps, and it does not count the time that the machine was off. */
export const monotonicClock: Clock = () => Math.floor(performance.timeOrigin + performance.now());

/** How far the clock that all threads share is ahead of that of this thread. */
const AHEAD_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** The same for limits that threads share. The origin of `performance` differs by thread, and with the wall clock. */
export const threadsClock: Clock = () => Math.floor(performance.now() + AHEAD_MS);

export interface ClockReport {
  readonly state: ClockState;
  readonly machine: Instant;
  readonly service: Instant;
  readonly expiry: Instant;
  readonly memory: Instant;
}

export interface ServiceClock {
  /** Dates what is stored and published. */
  readonly service: Clock;
  /** Judges what ends. */
  readonly expiry: Clock;
  /** Decides what is forgotten. */
  readonly memory: Clock;
  /** The latest time at which something can have been observed: an honest event is not refused because of a doubt. */
  readonly observed: Clock;
  report(): ClockReport;
  /** The expiry time that a crash does not lose. */
  readonly storedExpiry: Instant;
  /** Takes over what other threads and processes know, and what the operator accepted. */
  look(): Promise<void>;
  /** Stores the times. */
  save(): Promise<void>;
}

/** The clocks of the machine. */
export interface MachineClocks {
  readonly now: Clock;
  /** Milliseconds by a clock that never steps and stands still while the machine is suspended. */
  readonly monotonic: () => number;
  /** Milliseconds for which the machine was suspended, and a constant. */
  readonly suspended: () => number;
}

const MACHINE: MachineClocks = {
  now: systemClock,
  monotonic: () => performance.now(),
  // On most systems the uptime counts the time of a suspension.
  suspended: () => uptime() * SECOND - performance.now(),
};

/** Makes the clock of a thread or process from the stored times. Writes nothing. */
export async function openClock(
  stores: Pick<Stores, 'times' | 'write'>,
  clocks: MachineClocks = MACHINE,
): Promise<ServiceClock> {
  const stored = await stores.times();
  const started = clocks.now();
  let times = stored === undefined ? firstTimes(started) : resumeTimes(stored, started);
  let storedExpiry = stored?.expiry ?? Number.NEGATIVE_INFINITY;
  let machine = Number.NaN;
  let read = clocks.monotonic();
  let anchor = { at: read, service: times.service };
  let suspended = clocks.suspended();

  const now = (): ServiceTimes => {
    const shown = clocks.now();
    const at = clocks.monotonic();
    if (shown === machine && at - read < 1) return times;
    let elapsed = at - read;
    let credible = anchor.service + (at - anchor.at) + STEP_TOLERANCE;
    if (shown > credible && times.doubt === undefined) {
      const slept = clocks.suspended() - suspended;
      if (slept > SECOND) {
        suspended += slept;
        elapsed += slept;
        credible += slept;
      }
    }
    const doubted = times.doubt !== undefined;
    times = advanceTimes(times, { machine: shown, elapsed, credible });
    machine = shown;
    read = at;
    // A clock that is behind may return to where the monotonic clock would be, however late.
    const followed = times.service === shown;
    if (followed && (doubted || at - anchor.at >= ANCHOR_AGE)) anchor = { at, service: shown };
    return times;
  };

  const learn = (known: ServiceTimes): void => {
    const mine = now();
    storedExpiry = known.expiry;
    times = laterTimes(mine, known);
    if (times.generation !== mine.generation || times.doubt !== mine.doubt) {
      anchor = { at: read, service: times.service };
    }
  };

  return {
    service: () => Math.floor(now().service),
    expiry: () => Math.floor(now().expiry),
    memory: () => Math.floor(now().memory),
    observed: () => Math.floor(Math.max(now().service, machine)),
    report: () => {
      const { service, expiry, memory } = wholeTimes(now());
      return { state: clockState(times, machine), machine, service, expiry, memory };
    },
    get storedExpiry() {
      return storedExpiry;
    },
    look: async () => {
      const known = await stores.times();
      if (known !== undefined) learn(known);
    },
    save: async () => {
      const saved = await stores.write(async (tx) => {
        const known = await tx.times();
        const later = wholeTimes(known === undefined ? now() : laterTimes(now(), known));
        await tx.saveTimes(later);
        // They were queued before the operator accepted an earlier time.
        await tx.hastenJobs(later.service + LONGEST_WAIT, later.service);
        return later;
      });
      learn(saved);
    },
  };
}

function wholeTimes(times: ServiceTimes): ServiceTimes {
  const { service, expiry, memory, doubt } = times;
  const whole = {
    ...times,
    service: Math.floor(service),
    expiry: Math.floor(expiry),
    memory: Math.floor(memory),
  };
  if (doubt === undefined) return whole;
  return { ...whole, doubt: { since: Math.floor(doubt.since), lead: Math.floor(doubt.lead) } };
}

/** The operator accepts the clock of the machine. Running processes learn of it within a second. */
export async function acceptClock(stores: Stores): Promise<ClockReport> {
  const clock = await openClock(stores);
  const machine = systemClock();
  await stores.write(async (tx) => {
    const before = (await tx.times()) ?? firstTimes(machine);
    await tx.saveTimes(acceptMachine(before, machine));
    await tx.audit({
      at: machine,
      actor: 'cli',
      action: 'clock.accept',
      target: 'clock',
      detail: { service: toRfc3339(before.service), expiry: toRfc3339(before.expiry) },
    });
  });
  await clock.look();
  return clock.report();
}
