// Checks each row of kept evidence: that it can be read, and that it is no larger than it may be.

import { EVIDENCE_BYTES, LINK_BYTES } from '../../../domain/evidence/kept-evidence.ts';
import { decodeEvidence } from '../../evidence-codec.ts';
import type { Connection } from '../connection.ts';
import type { Findings } from './check-rules.ts';

export function checkEvidence(connection: Connection, findings: Findings): void {
  for (const [seq, text] of connection.each('select seq, evidence from indicator_evidence')) {
    if (!isReadable(text as string)) findings.add('evidence-readable', `indicator_evidence ${seq}`);
    if (Buffer.byteLength(text as string) > EVIDENCE_BYTES + LINK_BYTES)
      findings.add('evidence-within-its-bytes', `indicator_evidence ${seq}`);
  }
}

function isReadable(text: string): boolean {
  try {
    decodeEvidence(text);
    return true;
  } catch {
    return false;
  }
}
