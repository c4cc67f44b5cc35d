// URLs in canonical form: serialised by the WHATWG URL Standard, without the fragment, which a browser never sends.

import { addressScope, formatAddress, parseAddress } from './address.ts';
import { refang } from './defang.ts';
import { parseDomain } from './domain-name.ts';
import { type ObservableOptions, type ObservableRefusal, refuse, refuseScope } from './refusal.ts';

const MAX_URL_LENGTH = 2_048;

/**
 * Schemes that name a place on a network. Sensors see them in downloads, callbacks and injections (`ldap:`, `rmi:`).
 */
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

const INVALID_URL = refuse('INVALID_URL', 'a URL needs a domain or an address as its host');
const UNSUPPORTED_SCHEME = refuse('UNSUPPORTED_SCHEME', 'the scheme is not one of a network protocol');

/**
 * The canonical URL, or a refusal. User name and password are kept as part of the observation. Feeds that omit the
 * scheme mean `http`, so `example.com/path` is read as `http`.
 * @param text refanged.
 */
export function canonicalUrl(text: string, options: ObservableOptions): string | ObservableRefusal {
  // The parser drops tabs and line ends silently, which would join two values.
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
  // Escaping can create a defanged form (`'\.` becomes `%27\.`). A canonical URL must not contain one.
  if (plain !== url.href) return canonicalUrl(plain, options);
  if (plain.length > MAX_URL_LENGTH) {
    return refuse('VALUE_TOO_LONG', `a URL has at most ${MAX_URL_LENGTH} characters`);
  }
  return plain;
}

/** @param text a host from the URL parser: canonical for web schemes, percent-encoded for the others. */
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
