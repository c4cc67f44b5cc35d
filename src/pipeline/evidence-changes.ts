// The kept evidence that one transaction changes.

import {
  bytesOfEvidence,
  type KeptEvidence,
  NO_EVIDENCE,
  withSeen,
} from '../domain/evidence/kept-evidence.ts';
import type { Observation } from '../domain/indicator/sensor-event.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { EvidenceWrite } from '../store/indicators.ts';

export class EvidenceChanges {
  readonly #stored: ReadonlyMap<string, ReadonlyMap<TlpMarking, KeptEvidence>>;
  readonly #after = new Map<string, EvidenceWrite>();

  /** @param stored the evidence of known indicators, as the transaction has loaded it. */
  constructor(stored: ReadonlyMap<string, ReadonlyMap<TlpMarking, KeptEvidence>>) {
    this.#stored = stored;
  }

  /** The evidence after a report, and the bytes by which it grows. */
  after(
    indicatorId: string,
    observation: Observation,
  ): { readonly kept: KeptEvidence; readonly growth: number } {
    const before = this.#of(indicatorId, observation.tlp);
    const kept = withSeen(before, observation);
    return { kept, growth: Math.max(0, bytesOfEvidence(kept) - bytesOfEvidence(before)) };
  }

  set(indicatorId: string, marking: TlpMarking, evidence: KeptEvidence): void {
    this.#after.set(`${indicatorId}/${marking}`, { indicatorId, marking, evidence });
  }

  writes(): readonly EvidenceWrite[] {
    return [...this.#after.values()];
  }

  #of(indicatorId: string, marking: TlpMarking): KeptEvidence {
    return (
      this.#after.get(`${indicatorId}/${marking}`)?.evidence ??
      this.#stored.get(indicatorId)?.get(marking) ??
      NO_EVIDENCE
    );
  }
}
