// Our vocabularies in the spelling of STIX (lower case with hyphens), and the words of others for our categories.

import {
  INDICATOR_STATES,
  inVocabularyOrder,
  PROTOCOLS,
  SENSOR_TYPES,
  SEVERITIES,
  THREAT_CATEGORIES,
  type ThreatCategory,
  VERDICTS,
} from '../../domain/vocabulary.ts';

const VOCABULARIES = [SEVERITIES, INDICATOR_STATES, THREAT_CATEGORIES, PROTOCOLS, SENSOR_TYPES, VERDICTS];

type Name = (typeof VOCABULARIES)[number][number];

/** Computed once, since rendering looks up several terms for each object. */
const TERMS: ReadonlyMap<Name, string> = new Map(
  VOCABULARIES.flat()
    .filter((name) => name !== 'UNSPECIFIED')
    .map((name) => [name, name.toLowerCase().replaceAll('_', '-')] as const),
);

/** The term of a name; undefined for UNSPECIFIED. */
export function termOf(name: Name): string | undefined {
  return TERMS.get(name);
}

/** The terms of several names, in the same order, without UNSPECIFIED. */
export function termsOf(names: readonly Name[]): readonly string[] {
  return names.flatMap((name) => TERMS.get(name) ?? []);
}

/**
 * Other words for our categories in labels. MALWARE has the unambiguous kinds of `malware-type-ov` and their short
 * names. `tor` alone is a PROXY, since it may be another node than an exit.
 */
const OTHER_NAMES: Readonly<Partial<Record<ThreatCategory, readonly string[]>>> = {
  MALWARE: [
    'backdoor',
    'bootkit',
    'downloader',
    'dropper',
    'info-stealer',
    'infostealer',
    'keylogger',
    'ransomware',
    'rat',
    'remote-access-trojan',
    'rootkit',
    'spyware',
    'stealer',
    'trojan',
    'virus',
    'webshell',
    'wiper',
    'worm',
  ],
  PHISHING: ['phish', 'spear-phishing', 'spearphishing', 'smishing'],
  COMMAND_AND_CONTROL: ['c2', 'c2-server', 'c&c', 'c&c-server', 'cnc', 'command-&-control'],
  SCANNER: ['scanning', 'port-scan', 'port-scanner', 'port-scanning', 'portscan', 'portscanner'],
  SPAM: ['malspam', 'spammer'],
  BRUTE_FORCE: ['brute-forcer', 'brute-forcing', 'bruteforce', 'bruteforcer'],
  EXPLOIT: ['exploitation'],
  TOR_EXIT_NODE: ['tor-exit'],
  PROXY: ['open-proxy', 'tor'],
};

const CATEGORIES: ReadonlyMap<string, ThreatCategory> = new Map(
  THREAT_CATEGORIES.flatMap((category) =>
    [...termsOf([category]), ...(OTHER_NAMES[category] ?? [])].map((term) => [term, category] as const),
  ),
);

/** The categories that labels and `indicator-type-ov` (§10.10) name. Most words name none. */
export function categoriesOf(
  labels: readonly string[],
  indicatorTypes: readonly string[],
): readonly ThreatCategory[] {
  const named = labels.flatMap((label) => CATEGORIES.get(spelledAsTerm(label)) ?? []);
  // The only indicator type that means one of our categories. TOR_EXIT_NODE is more specific and excludes PROXY.
  if (indicatorTypes.includes('anonymization') && !named.includes('TOR_EXIT_NODE')) named.push('PROXY');
  return inVocabularyOrder(THREAT_CATEGORIES, named);
}

function spelledAsTerm(label: string): string {
  return label
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
}
