// The times that a service keeps beside the clock of its machine, because that clock may step. Each of them errs to the
// side that does no lasting harm, and none of them ever steps back.

import { DAY, HOUR, type Instant, MINUTE } from './instant.ts';

export interface ServiceTimes {
  /** Counts the acceptances of the machine's clock by the operator. */
  readonly generation: number;
  /** Judges what ends: keys and identity tokens. It follows every step forward at once. */
  readonly expiry: Instant;
  /** Dates records and feed versions, the queue and metered use. It does not follow a large step forward at once. */
  readonly service: Instant;
  /** Decides what is forgotten. It follows the service time at no more than CATCH_UP times the speed of the clock. */
  readonly memory: Instant;
  /** Present while the clock of the machine is ahead and not believed. */
  readonly doubt?: Doubt;
}

export interface Doubt {
  /** The service time when the doubt began. */
  readonly since: Instant;
  /** How far the machine was ahead then, in milliseconds. */
  readonly lead: number;
}

/** A step of the machine's clock up to this size is followed at once. */
export const STEP_TOLERANCE = 5 * MINUTE;
/** The time for which a machine may have been off, without a doubt about its clock when the service starts again. */
export const OFF_TOLERANCE = 45 * DAY;
/** A step that the service doubts is believed when the clock has stood by it for as long as the step, within these bounds. */
const SHORTEST_DOUBT = HOUR;
export const LONGEST_DOUBT = DAY;

/** Times that are ahead of the machine run at this speed until it has caught up. */
const SLOW = 1 / 2;
const CATCH_UP = 10;

/** One look at the two clocks of the machine. */
export interface ClockReading {
  readonly machine: Instant;
  /** Milliseconds since the last reading by a clock that never steps. A fraction is allowed. */
  readonly elapsed: number;
  /** What the clock of the machine can show without a doubt. */
  readonly credible: Instant;
}

/** The times of a new installation. */
export function firstTimes(machine: Instant): ServiceTimes {
  return { generation: 0, expiry: machine, service: machine, memory: machine };
}

/** The times after one more reading. They may have fractions of a millisecond. */
export function advanceTimes(
  times: ServiceTimes,
  { machine, elapsed, credible }: ClockReading,
): ServiceTimes {
  const { generation, memory } = times;
  const expiry = Math.max(machine, times.expiry + elapsed * SLOW);
  const running = times.service + elapsed;
  const doubt = machine <= credible ? undefined : doubtOf(machine - running, running, times.doubt);
  const service = doubt === undefined ? Math.max(machine, times.service + elapsed * SLOW) : running;
  const next = { generation, expiry, service, memory: Math.min(service, memory + elapsed * CATCH_UP) };
  return doubt === undefined ? next : { ...next, doubt };
}

/** The doubt about a clock that is ahead, if it is not believed. @param running the service time without the step. */
function doubtOf(lead: number, running: Instant, before: Doubt | undefined): Doubt | undefined {
  if (before === undefined || Math.abs(lead - before.lead) > STEP_TOLERANCE) return { since: running, lead };
  const enough = Math.min(Math.max(lead, SHORTEST_DOUBT), LONGEST_DOUBT);
  return running - before.since >= enough ? undefined : before;
}

/** The times of a process that starts with stored ones. The clock may have run while no process did. */
export function resumeTimes(stored: ServiceTimes, machine: Instant): ServiceTimes {
  const { doubt, service } = stored;
  const resumed = doubt === undefined ? stored : { ...stored, doubt: { ...doubt, lead: machine - service } };
  const tolerance = doubt === undefined ? OFF_TOLERANCE : STEP_TOLERANCE;
  return advanceTimes(resumed, { machine, elapsed: 0, credible: service + tolerance });
}

/** What two processes or threads know together. An acceptance by the operator outweighs all earlier times. */
export function laterTimes(mine: ServiceTimes, stored: ServiceTimes): ServiceTimes {
  if (mine.generation !== stored.generation) return mine.generation > stored.generation ? mine : stored;
  const { generation, service, doubt } = stored.service > mine.service ? stored : mine;
  const later = {
    generation,
    expiry: Math.max(mine.expiry, stored.expiry),
    service,
    memory: Math.max(mine.memory, stored.memory),
  };
  return doubt === undefined ? later : { ...later, doubt };
}

/** The operator says that the clock of the machine is right. Nothing more is forgotten because of it. */
export function acceptMachine(times: ServiceTimes, machine: Instant): ServiceTimes {
  return {
    generation: times.generation + 1,
    expiry: machine,
    service: machine,
    memory: Math.min(times.memory, machine),
  };
}

/**
 * `ahead`: the clock of the machine stepped forward and is not believed yet. `behind`: it shows an earlier time than it
 * showed before.
 */
export type ClockState = 'steady' | 'ahead' | 'behind';

export function clockState({ expiry, service, doubt }: ServiceTimes, machine: Instant): ClockState {
  if (doubt !== undefined) return 'ahead';
  return Math.max(expiry, service) - machine > STEP_TOLERANCE ? 'behind' : 'steady';
}
