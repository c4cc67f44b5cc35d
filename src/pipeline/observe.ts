// Turns a sensor event into an observation that can be merged: validated and normalised, or refused with a reason.

import { hash } from 'node:crypto';
import { decodeBehaviours } from '../domain/evidence/behaviour.ts';
import { evidenceValue } from '../domain/evidence/evidence-key.ts';
import { keptValues } from '../domain/evidence/kept-values.ts';
import type { Observation, SensorEvent } from '../domain/indicator/sensor-event.ts';
import { CLOCK_SKEW_LIMIT, EARLIEST_OBSERVATION, type Instant } from '../domain/instant.ts';
import { parseObservable } from '../domain/observable/observable.ts';
import { isVisible } from '../domain/tlp.ts';
import {
  higherOf,
  inVocabularyOrder,
  SEVERITIES,
  THREAT_CATEGORIES,
  type TlpMarking,
} from '../domain/vocabulary.ts';
import { type BreadthOptions, type IsPublicSuffix, refuseBreadth } from './breadth.ts';
import { attribute } from './event-source.ts';
import type { EventRefusalReason, Reporter } from './reporter.ts';

export interface ObserveOptions extends BreadthOptions {
  /** For a plant that watches its own network. */
  readonly acceptPrivateAddresses: boolean;
  /** The marking of events without one. */
  readonly defaultTlp: TlpMarking;
}

export type Observed =
  | { readonly ok: true; readonly observation: Observation }
  | { readonly ok: false; readonly reason: EventRefusalReason };

/** Validates one event. Never throws; an unusable event is refused with a reason. */
export function observe(
  event: SensorEvent,
  reporter: Reporter,
  now: Instant,
  options: ObserveOptions,
  isPublicSuffix: IsPublicSuffix,
): Observed {
  if (event.observedAt > now + CLOCK_SKEW_LIMIT) return { ok: false, reason: 'OBSERVED_IN_FUTURE' };
  if (event.observedAt < EARLIEST_OBSERVATION) return { ok: false, reason: 'OBSERVED_BEFORE_1990' };
  const tlp = event.tlp === 'UNSPECIFIED' ? options.defaultTlp : event.tlp;
  if (!isVisible(tlp, reporter.ceiling)) return { ok: false, reason: 'TLP_ABOVE_CEILING' };
  const observable = parseObservable(event.indicatorType, event.value, options);
  if (!observable.ok) return { ok: false, reason: observable.reason };
  const tooBroad = refuseBreadth(observable, options, isPublicSuffix);
  if (tooBroad !== undefined) return { ok: false, reason: tooBroad };

  const seen = decodeBehaviours(event);
  return {
    ok: true,
    observation: {
      type: observable.type,
      value: observable.value,
      observedAt: event.observedAt,
      count: event.count === 0n ? 1n : event.count,
      ...attribute(event, reporter),
      sensorId: event.sensorId,
      sensorType: event.sensorType,
      protocol: event.protocol,
      categories: inVocabularyOrder(
        THREAT_CATEGORIES,
        [...event.categories, ...seen.categories].filter((category) => category !== 'UNSPECIFIED'),
      ),
      severity: higherOf(SEVERITIES, event.severity, seen.severity),
      tags: event.tags,
      labels: event.labels,
      tlp,
      behaviours: seen.behaviours,
      intent: seen.intent,
      quality: seen.quality,
      seen: keptValues(event),
    },
  };
}

/**
 * Identifies an event for deduplication: 32 hex digits of a hash over account, reporter, sensor and event id. The event
 * names its sensor itself, so without the reporter one key could use up the event ids of another.
 */
export function eventKey(event: SensorEvent, { account, id }: Reporter): string {
  return keyOf([account, id, event.sensorId, event.eventId]);
}

/** Identifies the session of an event, if the event names it. A reporter has no part in the sessions of another. */
export function sessionKey(
  { sensorId, evidence }: SensorEvent,
  { account, id }: Reporter,
): string | undefined {
  const session = evidenceValue(evidence, 'session.id');
  return session === undefined ? undefined : keyOf(['session', account, id, sensorId, session]);
}

function keyOf(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);
}
