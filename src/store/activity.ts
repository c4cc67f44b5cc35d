// What was taken in lately: events by minute, and when each sensor was last heard of. Everything is kept by the marking of the
// reports, so a reader gets counts of what he may see.

import type { Intent } from '../domain/indicator/indicator.ts';
import type { Instant } from '../domain/instant.ts';
import type { Protocol, SensorType, TlpMarking } from '../domain/vocabulary.ts';

/** Accepted events that are alike. */
export interface ActivityCount {
  readonly account: string;
  /** Id of the reporter. Sensor ids are names that a reporter gives. */
  readonly reporter: string;
  /** How people know the reporter. */
  readonly title: string;
  readonly sensor: string;
  readonly sensorType: SensorType;
  readonly marking: TlpMarking;
  readonly protocol: Protocol;
  readonly intent: Intent;
  readonly events: number;
}

export interface MinuteCount {
  /** Start of a UTC minute in which events were taken in. */
  readonly start: Instant;
  readonly protocol: Protocol;
  readonly intent: Intent;
  readonly events: number;
}

export interface SensorState {
  readonly account: string;
  readonly title: string;
  readonly sensor: string;
  readonly sensorType: SensorType;
  /** When the last event was taken in. */
  readonly lastEventAt: Instant;
  /** Events a minute: an average in which an event counts half after seven minutes. */
  readonly eventsPerMinute: number;
}

export interface ActivityReader {
  /** Oldest first, and by protocol and intent within a minute. */
  minutes(ceiling: TlpMarking, since: Instant): Promise<readonly MinuteCount[]>;
  /** Those that were heard of last, at most `limit`. @param account undefined for all. */
  sensors(
    ceiling: TlpMarking,
    account: string | undefined,
    limit: number,
    now: Instant,
  ): Promise<readonly SensorState[]>;
}
