// Which categories are hostile: nobody does such things by mistake. Scanning, proxies and Tor exits have honest uses.

import type { ThreatCategory } from '../vocabulary.ts';

const HOSTILE: ReadonlySet<ThreatCategory> = new Set([
  'MALWARE',
  'PHISHING',
  'COMMAND_AND_CONTROL',
  'BOTNET',
  'SPAM',
  'BRUTE_FORCE',
  'EXPLOIT',
]);

export function isHostile(category: ThreatCategory): boolean {
  return HOSTILE.has(category);
}
