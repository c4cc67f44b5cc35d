// What an attacker wrote, made fit to be kept as evidence. It goes nowhere else: not into tags, labels or ids.

import type { EvidenceKey } from '../domain/evidence/evidence-key.ts';

/** The contract's limit for a value of the evidence map. */
const MAX_EVIDENCE_CHARACTERS = 1024;

/** At most 1,024 characters of well-formed text without NUL, which PostgreSQL cannot hold. */
function evidenceText(text: string): string {
  return text.slice(0, MAX_EVIDENCE_CHARACTERS).toWellFormed().replaceAll('\0', '\u{fffd}');
}

/** Evidence under the keys that the domain understands. */
export type Evidence = Readonly<Partial<Record<EvidenceKey, string>>>;

/** An evidence map of the entries that have a value. */
export function evidenceOf(entries: Readonly<Partial<Record<EvidenceKey, string | undefined>>>): Evidence {
  const evidence: Record<string, string> = {};
  for (const [key, value] of Object.entries(entries)) {
    if (value !== undefined && value !== '') evidence[key] = evidenceText(value);
  }
  return evidence;
}
