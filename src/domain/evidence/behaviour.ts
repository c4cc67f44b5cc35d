// Decodes the evidence of a sensor event into behaviours with their intent, severity and quality.

import { INTENTS, type Intent } from '../indicator/indicator.ts';
import type { SensorEvent } from '../indicator/sensor-event.ts';
import {
  higherOf,
  inVocabularyOrder,
  SEVERITIES,
  type Severity,
  THREAT_CATEGORIES,
  type ThreatCategory,
} from '../vocabulary.ts';
import { ALERT_EVIDENCE } from './alert.ts';
import { BACNET_EVIDENCE } from './bacnet.ts';
import { type BehaviourRule, behaviourRule } from './behaviour-rules.ts';
import { DNP3_EVIDENCE } from './dnp3.ts';
import { ENIP_EVIDENCE } from './enip.ts';
import { type EvidenceDecoder, evidenceValue, isPlaceholder } from './evidence-key.ts';
import { HTTP_EVIDENCE } from './http.ts';
import { MODBUS_EVIDENCE } from './modbus.ts';
import { OPC_UA_EVIDENCE } from './opc-ua.ts';
import { FORGEABLE_SHARE, LISTED, PRIORITY_SHARES, UNSUPPORTED } from './quality.ts';
import { S7_EVIDENCE } from './s7.ts';
import { SESSION_EVIDENCE } from './session.ts';
import { TELECONTROL_EVIDENCE } from './telecontrol.ts';

/** The result of decoding one event. The caller adds the claims of the event itself. */
export interface DecodedEvidence {
  /** Distinct behaviour codes, sorted. */
  readonly behaviours: readonly string[];
  /** The deepest intent of the behaviours. */
  readonly intent: Intent;
  /** The highest severity of the behaviours; UNSPECIFIED if it does not apply. */
  readonly severity: Severity;
  /** In vocabulary order. */
  readonly categories: readonly ThreatCategory[];
  /** The highest quality of the behaviours, 0 to 1. */
  readonly quality: number;
}

const DECODERS: ReadonlyMap<string, EvidenceDecoder> = new Map(
  Object.entries({
    ...MODBUS_EVIDENCE,
    ...DNP3_EVIDENCE,
    ...S7_EVIDENCE,
    ...BACNET_EVIDENCE,
    ...OPC_UA_EVIDENCE,
    ...ENIP_EVIDENCE,
    ...TELECONTROL_EVIDENCE,
    ...SESSION_EVIDENCE,
    ...HTTP_EVIDENCE,
    ...ALERT_EVIDENCE,
  }),
);

/** The decoder of a key; undefined for a key that only refines or tells. */
export function evidenceDecoder(key: string): EvidenceDecoder | undefined {
  return DECODERS.get(key);
}

/** The behaviour of a report without evidence, by its category. */
const LISTINGS: ReadonlyMap<ThreatCategory, string> = new Map([
  ['COMMAND_AND_CONTROL', 'listing:command-and-control'],
  ['PHISHING', 'listing:phishing'],
  ['TOR_EXIT_NODE', 'listing:tor-exit'],
]);

/** Behaviours in datagrams. */
const FORGEABLE = /^(?:bacnet|snmp):/;
/** Behaviours that a detection rule names. */
const BY_RULE = /^(?:alert|technique):/;

/**
 * Decodes the evidence map. Ignores unknown keys and invalid values. Never throws. A report without usable evidence is
 * judged by its categories; if it has a severity of its own, that one counts.
 */
export function decodeBehaviours(event: SensorEvent): DecodedEvidence {
  const found = new Set<string>();
  for (const key of Object.keys(event.evidence)) {
    const value = event.evidence[key];
    if (typeof value !== 'string' || isPlaceholder(value)) continue;
    const codes = DECODERS.get(key)?.(value, event);
    if (codes === undefined) continue;
    if (typeof codes === 'string') found.add(codes);
    else for (const code of codes) found.add(code);
  }
  if (found.size > 0) return assess([...found].sort(), (rule) => qualityIn(event, rule));

  const listed = event.categories.flatMap((category) => LISTINGS.get(category) ?? []);
  const quality = event.sensorId === '' ? LISTED : UNSUPPORTED;
  const decoded = assess([...new Set(listed)].sort(), () => quality, quality);
  return event.severity === 'UNSPECIFIED' ? decoded : { ...decoded, severity: 'UNSPECIFIED' };
}

/** The quality of a behaviour in this event. */
function qualityIn({ severity, evidence }: SensorEvent, { code, quality }: BehaviourRule): number {
  if (BY_RULE.test(code)) return quality * PRIORITY_SHARES[severity];
  const dialogue = evidenceValue(evidence, 'dialogue')?.toLowerCase();
  const isForgeable = dialogue === 'false' || (dialogue !== 'true' && FORGEABLE.test(code));
  return isForgeable ? quality * FORGEABLE_SHARE : quality;
}

/**
 * Combines the rules of the behaviours: the highest of each value, and all categories.
 * @param least the quality without behaviours.
 */
function assess(
  behaviours: readonly string[],
  qualityOf: (rule: BehaviourRule) => number,
  least = 0,
): DecodedEvidence {
  let intent: Intent = 'none';
  let severity: Severity = 'UNSPECIFIED';
  let quality = least;
  const categories = new Set<ThreatCategory>();
  for (const code of behaviours) {
    const rule = behaviourRule(code);
    if (rule === undefined) continue;
    intent = higherOf(INTENTS, intent, rule.intent);
    severity = higherOf(SEVERITIES, severity, rule.severity);
    quality = Math.max(quality, qualityOf(rule));
    for (const category of rule.categories) categories.add(category);
  }
  return {
    behaviours,
    intent,
    severity,
    categories: inVocabularyOrder(THREAT_CATEGORIES, categories),
    quality,
  };
}
