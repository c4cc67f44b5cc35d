// What intrusion detection rules say, as behaviour codes: the kind of act a rule looks for, and the techniques it names.

import { ATTACK_TECHNIQUES } from './attack-technique.ts';
import { techniqueCode } from './behaviour-rules.ts';
import type { EvidenceDecoders } from './evidence-key.ts';

const KINDS: ReadonlySet<string> = new Set([
  'scan',
  'brute-force',
  'exploit',
  'denial-of-service',
  'malware',
  'command-and-control',
  'phishing',
  'proxy',
  'tor-exit',
  'listed',
]);

/** By the ids of either release: rules name those of the day they were written. */
const CODES: ReadonlyMap<string, string> = new Map(
  ATTACK_TECHNIQUES.flatMap(({ id, v18 }) =>
    [id, v18 ?? id].map((known): [string, string] => [known, techniqueCode(id)]),
  ),
);

/** A rule names a few; a longer text is no list of techniques. */
const TEXT_LIMIT = 1_024;

export const ALERT_EVIDENCE: EvidenceDecoders = {
  'alert.kind': (value) => {
    const kind = value.toLowerCase().replaceAll('_', '-');
    return KINDS.has(kind) ? `alert:${kind}` : undefined;
  },
  'attack.technique': (value) =>
    (
      value
        .slice(0, TEXT_LIMIT)
        .toUpperCase()
        .match(/T\d{4}(?:\.\d{3})?/g) ?? []
    ).flatMap((id) => CODES.get(id) ?? []),
};
