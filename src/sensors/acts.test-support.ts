// Evidence of what a peer did, without the details that only describe it. Each format has a test of its details.

import type { EvidenceKey } from '../domain/evidence/evidence-key.ts';
import type { SensorEvent } from '../domain/indicator/sensor-event.ts';

const DETAILS: ReadonlySet<string> = new Set<EvidenceKey>([
  'destination.port',
  'login.user',
  'client.version',
  'client.hassh',
  'tls.ja3',
  'file.name',
  'alert.rule',
  'alert.sid',
  'peer.address',
  'session.id',
]);

export function actOf({ evidence }: Pick<SensorEvent, 'evidence'>): SensorEvent['evidence'] {
  return Object.fromEntries(Object.entries(evidence).filter(([key]) => !DETAILS.has(key)));
}

/** Only the details. */
export function detailsOf({ evidence }: Pick<SensorEvent, 'evidence'>): SensorEvent['evidence'] {
  return Object.fromEntries(Object.entries(evidence).filter(([key]) => DETAILS.has(key)));
}
