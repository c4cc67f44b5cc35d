// Evidence in a record: text of the peer, within the limits of the contract, under keys that the domain knows.

import { decodeBehaviours } from '../domain/evidence/behaviour.ts';
import type { EvidenceKey } from '../domain/evidence/evidence-key.ts';
import type { SensorEvent } from '../domain/indicator/sensor-event.ts';

/** The contract's limit for a value of the evidence map. */
const MAX_EVIDENCE_CHARACTERS = 1024;

/** At most 1,024 characters of well-formed text without NUL, which PostgreSQL cannot store. */
function evidenceText(text: string): string {
  return text.slice(0, MAX_EVIDENCE_CHARACTERS).toWellFormed().replaceAll('\0', '\u{fffd}');
}

/**
 * Evidence under the keys that the domain knows. Text of an attacker goes nowhere else: not into tags, labels or ids.
 */
export type Evidence = Readonly<Partial<Record<EvidenceKey, string>>>;

/** The entries that have a value. */
export function evidenceOf(entries: Readonly<Partial<Record<EvidenceKey, string | undefined>>>): Evidence {
  const evidence: Record<string, string> = {};
  for (const [key, value] of Object.entries(entries)) {
    if (value !== undefined && value !== '') evidence[key] = evidenceText(value);
  }
  return evidence;
}

export interface HttpRequest {
  readonly method: string | undefined;
  /** With the query. */
  readonly path: string | undefined;
  readonly userAgent: string | undefined;
}

/**
 * A request that a network sensor saw, as evidence. Undefined unless it carries a known form of payload: on a network
 * with honest clients a plain request means nothing.
 */
export function httpExploit({ method, path, userAgent }: HttpRequest): Evidence | undefined {
  const evidence = evidenceOf({ 'http.method': method, 'http.path': path, 'http.user_agent': userAgent });
  return decodeBehaviours({ ...NEUTRAL, evidence }).categories.includes('EXPLOIT') ? evidence : undefined;
}

/** The decoder takes an event. Only its evidence matters here. */
const NEUTRAL: SensorEvent = {
  eventId: '',
  sensorId: '',
  sensorType: 'NETWORK',
  protocol: 'HTTP',
  indicatorType: 'IPV4',
  value: '',
  observedAt: 0,
  count: 1n,
  categories: [],
  severity: 'UNSPECIFIED',
  tags: [],
  labels: [],
  tlp: 'UNSPECIFIED',
  evidence: {},
};
