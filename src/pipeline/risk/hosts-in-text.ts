// The names of hosts in files of any form: lists, CSV, JSON of MISP and STIX, logs. Values may be defanged.

import { parse } from 'tldts';
import { refang } from '../../domain/observable/defang.ts';
import { parseDomain } from '../../domain/observable/domain-name.ts';

/** What stands between values, also in CSV, in JSON and in STIX patterns. Brackets are left: they are part of `[.]`. */
const BETWEEN = /[\s,;"'`<>|]+/;
const COMMENT = /(?:^|\s)#.*$/gm;
const BEFORE_HOST = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i;
const LOCAL_NAMES_REFUSED = { acceptPrivateAddresses: false };
const ICANN_SECTION = { extractHostname: false, validateHostname: false, detectIp: false };

/** Each host once, in canonical form. Addresses, and names without a public suffix, are left out. */
export function hostsIn(text: string): readonly string[] {
  const hosts = new Set<string>();
  for (const word of text.replace(COMMENT, '').split(BETWEEN)) {
    const host = word.length > 3 && word.includes('.') ? hostOf(word) : undefined;
    if (host !== undefined) hosts.add(host);
  }
  return [...hosts];
}

function hostOf(word: string): string | undefined {
  const plain = refang(word.replace(/^[[(={]+|[\])}]+$/g, ''));
  // A mailbox says little about its host.
  if (plain.includes('@')) return undefined;
  const start = plain.replace(BEFORE_HOST, '');
  const [name = ''] = start.split(/[/?#:\\]/);
  const host = parseDomain(name.replace(/^[.*]+/, ''), LOCAL_NAMES_REFUSED);
  if (typeof host !== 'string') return undefined;
  // Without this, names of files would count: the rule `*` of the list makes every last label a suffix.
  return parse(host, ICANN_SECTION).isIcann === true && parse(host, ICANN_SECTION).domain !== null
    ? host
    : undefined;
}
