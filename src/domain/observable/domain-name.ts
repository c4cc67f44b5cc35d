// Domain names in canonical form: lower case, punycode, no trailing dot (RFC 1034 §3.5, UTS 46).

import { domainToASCII } from 'node:url';
import { type ObservableOptions, type ObservableRefusal, refuse } from './refusal.ts';

const MAX_NAME_LENGTH = 253;

const ASCII_NAME = /^[a-z0-9._-]+$/i;
/**
 * domainToASCII runs the URL host parser, which drops tabs and stops at a slash. This pattern keeps both away from it.
 */
const INTERNATIONAL_NAME = /^[a-z0-9._\-\u0080-\uffff]+$/i;

/** Host names have no underscores, but names in DNS do (`_dmarc.example.com`). */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** Begins with a letter, so that a dotted number is not a name. */
const TOP_LABEL = /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;

/** Names of the local machine and of the DNS itself (RFC 6761, RFC 3172). */
const UNUSABLE_TOPS: ReadonlySet<string> = new Set(['localhost', 'localdomain', 'arpa']);
/** Names of a local network (RFC 6762 and its appendix G, RFC 8375, ICANN's `internal`). */
const LOCAL_TOPS: ReadonlySet<string> = new Set([
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
]);
const LOCAL_SUFFIX = '.home.arpa';

const INVALID_DOMAIN = refuse(
  'INVALID_DOMAIN',
  'a domain is two or more labels of at most 63 letters, digits, hyphens or underscores, 253 characters in all, ' +
    'the last label not a number',
);
const WILDCARD_DOMAIN = refuse('WILDCARD_DOMAIN', 'a wildcard is not a domain');
const LOCAL_NAME = refuse('LOCAL_NAME', 'names of a local machine or network are not indicators');

/** The canonical name, or a refusal. Names for documentation and tests (`.example`, `.test`) are accepted. */
export function parseDomain(text: string, options: ObservableOptions): string | ObservableRefusal {
  if (text.startsWith('*.') || text.startsWith('.')) return WILDCARD_DOMAIN;
  const name = toAscii(text);
  if (name === 'localhost') return LOCAL_NAME;
  const labels = name.split('.');
  const top = labels.pop() ?? '';
  const valid =
    name.length <= MAX_NAME_LENGTH &&
    labels.length > 0 &&
    TOP_LABEL.test(top) &&
    labels.every((label) => LABEL.test(label));
  if (!valid) return INVALID_DOMAIN;
  if (LOCAL_TOPS.has(top) || name.endsWith(LOCAL_SUFFIX)) {
    return options.acceptPrivateAddresses ? name : LOCAL_NAME;
  }
  return UNUSABLE_TOPS.has(top) ? LOCAL_NAME : name;
}

/** Lower case and punycode without the trailing dot; empty if the text cannot be a name. */
function toAscii(text: string): string {
  let name = '';
  if (ASCII_NAME.test(text)) name = text.toLowerCase();
  else if (INTERNATIONAL_NAME.test(text)) name = domainToASCII(text);
  return name.endsWith('.') ? name.slice(0, -1) : name;
}
