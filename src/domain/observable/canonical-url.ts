// URLs in canonical form: as the WHATWG URL Standard writes them, without the fragment, which never leaves the browser.

import { addressScope, formatAddress, parseAddress } from './address.ts';
import { refang } from './defang.ts';
import { parseDomain } from './domain-name.ts';
import { type ObservableOptions, type ObservableRefusal, refuse, refuseScope } from './refusal.ts';

const MAX_URL_LENGTH = 2_048;

/** Schemes that name a place on a network: what sensors see fetched, called back to or injected (`ldap:`, `rmi:`). */
const SCHEMES: ReadonlySet<string> = new Set([
  'http:',
  'https:',
  'ws:',
  'wss:',
  'ftp:',
  'ftps:',
  'sftp:',
  'tftp:',
  'ldap:',
  'ldaps:',
  'rmi:',
  'smb:',
  'ssh:',
  'telnet:',
  'tcp:',
  'udp:',
  'stratum+tcp:',
  'stratum+ssl:',
]);

export const SCHEME_AND_HOST = /^[a-z][a-z0-9+.-]*:\/\//i;

const INVALID_URL = refuse('INVALID_URL', 'not a URL with a domain or an address as its host');
const UNSUPPORTED_SCHEME = refuse('UNSUPPORTED_SCHEME', 'the scheme does not name a place on a network');

/**
 * The canonical URL, or why it is none. User name and password are kept: they are part of what was seen.
 * `example.com/path` without a scheme is taken for `http`, which is what feeds that leave it out mean.
 * @param text refanged.
 */
export function canonicalUrl(text: string, options: ObservableOptions): string | ObservableRefusal {
  // The parser would silently drop tabs and line ends, and so join what were two values.
  if (/\p{Cc}/u.test(text)) return INVALID_URL;
  const explicit = SCHEME_AND_HOST.test(text);
  if (!explicit && text.indexOf('/') < 1) return INVALID_URL;
  const url = URL.parse(explicit ? text : `http://${text}`);
  if (url === null) return INVALID_URL;
  if (!SCHEMES.has(url.protocol)) return UNSUPPORTED_SCHEME;

  const host = canonicalHost(url.hostname, options);
  if (typeof host !== 'string') return host;
  if (host !== url.hostname) url.hostname = host;
  url.hash = '';

  const plain = refang(url.href);
  // Escaping can make a defanged form out of what was none (`'\.` becomes `%27\.`): the canonical URL has none.
  if (plain !== url.href) return canonicalUrl(plain, options);
  if (plain.length > MAX_URL_LENGTH) {
    return refuse('VALUE_TOO_LONG', `a URL has at most ${MAX_URL_LENGTH} characters`);
  }
  return plain;
}

/** @param text a host as the parser left it: canonical for web schemes, escaped but otherwise as given for others. */
function canonicalHost(text: string, options: ObservableOptions): string | ObservableRefusal {
  const bracketed = text.startsWith('[');
  const address = parseAddress(bracketed ? text.slice(1, -1) : text);
  if (address !== undefined) {
    const refusal = refuseScope(addressScope(address), options);
    if (refusal !== undefined) return refusal;
    return address.length === 4 ? formatAddress(address) : `[${formatAddress(address)}]`;
  }
  const name = parseDomain(unescapeHost(text), options);
  return typeof name === 'string' || name.reason === 'LOCAL_NAME' ? name : INVALID_URL;
}

function unescapeHost(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
