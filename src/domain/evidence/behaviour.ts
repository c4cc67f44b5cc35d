// From the evidence of a sensor event to behaviours: what was done, how deep it reaches, how much it proves.

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
import { behaviourRule } from './behaviour-rules.ts';
import { DNP3_EVIDENCE } from './dnp3.ts';
import { ENIP_EVIDENCE } from './enip.ts';
import { type EvidenceDecoder, isPlaceholder } from './evidence-key.ts';
import { HTTP_EVIDENCE } from './http.ts';
import { MODBUS_EVIDENCE } from './modbus.ts';
import { OPC_UA_EVIDENCE } from './opc-ua.ts';
import { S7_EVIDENCE } from './s7.ts';
import { SESSION_EVIDENCE } from './session.ts';
import { TELECONTROL_EVIDENCE } from './telecontrol.ts';

/** What the evidence of one event amounts to. The caller adds what the event itself claims. */
export interface DecodedEvidence {
  /** Distinct behaviour codes, sorted. */
  readonly behaviours: readonly string[];
  /** The deepest of the behaviours. */
  readonly intent: Intent;
  /** The worst of the behaviours; UNSPECIFIED when the evidence says nothing about it. */
  readonly severity: Severity;
  /** In vocabulary order. */
  readonly categories: readonly ThreatCategory[];
  /** The best of the behaviours as evidence, 0 to 1. */
  readonly quality: number;
}

/** Quality of a report without evidence: worth what an entry of a list is worth. */
const UNSUPPORTED = 0.5;

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

/** What a report without evidence says by its category. */
const LISTINGS: ReadonlyMap<ThreatCategory, string> = new Map([
  ['COMMAND_AND_CONTROL', 'listing:command-and-control'],
  ['PHISHING', 'listing:phishing'],
  ['TOR_EXIT_NODE', 'listing:tor-exit'],
]);

/**
 * Decodes the evidence map (keys: evidence-key.ts). Unknown keys and values that make no sense are passed over; never
 * throws. A report without usable evidence is judged by its categories, and then its own severity is not overruled.
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
  if (found.size > 0) return assess([...found].sort());

  const listed = event.categories.flatMap((category) => LISTINGS.get(category) ?? []);
  const decoded = assess([...new Set(listed)].sort());
  return event.severity === 'UNSPECIFIED' ? decoded : { ...decoded, severity: 'UNSPECIFIED' };
}

/** The sum of the rules of some behaviours: always the strongest of each kind. */
function assess(behaviours: readonly string[]): DecodedEvidence {
  let intent: Intent = 'none';
  let severity: Severity = 'UNSPECIFIED';
  let quality = behaviours.length === 0 ? UNSUPPORTED : 0;
  const categories = new Set<ThreatCategory>();
  for (const code of behaviours) {
    const rule = behaviourRule(code);
    if (rule === undefined) continue;
    intent = higherOf(INTENTS, intent, rule.intent);
    severity = higherOf(SEVERITIES, severity, rule.severity);
    quality = Math.max(quality, rule.quality);
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
