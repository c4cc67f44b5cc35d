// Alerts of intrusion detection rules as behaviour codes: the kind of act, and the ATT&CK techniques that the rule
// names.

import { ATTACK_TECHNIQUES } from './attack-technique.ts';
import { techniqueCode } from './behaviour-rules.ts';
import type { EvidenceDecoders } from './evidence-key.ts';

const KINDS: ReadonlySet<string> = new Set([
  'scan',
  'brute-force',
  'exploit',
  'denial-of-service',
  'malware',
  'adware',
  'command-and-control',
  'phishing',
  'proxy',
  'tor-exit',
  'listed',
]);

/** By the ids of both releases, since old rules name old ids. */
const CODES: ReadonlyMap<string, string> = new Map(
  ATTACK_TECHNIQUES.flatMap(({ id, v18 }) =>
    [id, v18 ?? id].map((known): [string, string] => [known, techniqueCode(id)]),
  ),
);

/** Characters. A rule names a few techniques, so longer text is not a list of them. */
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
