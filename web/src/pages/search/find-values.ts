// Finds values in pasted text: addresses, domains, URLs, hashes, defanged or not, among the words of a log. The service
// judges what it gets; this only decides what is worth asking.

/** Most values of one lookup, as the contract says. */
const MOST_VALUES = 10_000;

/** What ends like a domain and is a file in most logs. Endings that are top-level domains too are left out. */
const FILE_ENDINGS =
  /\.(?:bak|bat|bin|cfg|cgi|class|conf|css|csv|dat|dll|doc|docx|elf|exe|gif|gz|htm|html|ini|jar|jpeg|jpg|js|json|jsp|lnk|local|log|md|msi|pcap|pdf|php|pid|png|ps1|rar|service|so|sock|sql|tar|tmp|ts|txt|vbs|xls|xlsx|xml|yaml|yml)$/i;

const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const IPV4 = `(?<![\\w.])${OCTET}(?:\\.${OCTET}){3}(?:/(?:3[0-2]|[12]?\\d))?(?![\\w/]|\\.\\d)`;
const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const DOMAIN = `(?:${LABEL}\\.){1,10}(?:[a-z]{2,24}|xn--[a-z0-9-]{2,59})`;
const VALUE = new RegExp(
  [
    '(?<url>\\b(?:https?|ftp)://[^\\s"\'<>`|\\\\^{}]{3,2000})',
    `(?<email>(?<![\\w.+-])[\\w.+-]{1,64}@${DOMAIN}(?![\\w-]))`,
    `(?<ipv4>${IPV4})`,
    '(?<ipv6>(?<![\\w:.])(?=[\\da-f:.]*:[\\da-f:.]*:)[\\da-f:]{2,39}(?:(?:\\d{1,3}\\.){3}\\d{1,3})?(?:/\\d{1,3})?(?![\\w:]))',
    '(?<print>(?<![\\w:])(?:[\\da-f]{2}:){15,31}[\\da-f]{2}(?![\\w:]))',
    '(?<hash>(?<![\\w-])(?:[\\da-f]{64}|[\\da-f]{40}|[\\da-f]{32})(?![\\w-]))',
    `(?<domain>(?<![\\w@/.-])${DOMAIN}(?![\\w-]|\\.\\w))`,
  ].join('|'),
  'gi',
);

/** The values in the order of the text, each once, as people write them. */
export function findValues(text: string): string[] {
  const values = new Set<string>();
  for (const { 0: found, groups = {} } of refang(text).matchAll(VALUE)) {
    const value = groups.url === undefined ? found : withoutTrailing(found);
    if (groups.domain !== undefined && FILE_ENDINGS.test(value)) continue;
    if (groups.ipv6 !== undefined && !isIpv6(value)) continue;
    values.add(value);
    if (values.size === MOST_VALUES) break;
  }
  return [...values];
}

/** As the service reads defanged forms. */
function refang(text: string): string {
  return text
    .replace(/\bh(?:xx|\*\*|tt)p(s?)(?=\[?:)/gi, 'http$1')
    .replace(/\[:\/\/\]/g, '://')
    .replace(/\s?[[({](?:\.|dot)[\])}]\s?/gi, '.')
    .replace(/\s?[[({](?:@|at)[\])}]\s?/gi, '@')
    .replace(/\[:\]/g, ':');
}

/** The end of a sentence is no part of a URL, nor is a bracket that was opened before it. */
function withoutTrailing(url: string): string {
  const end = url.replace(/[.,;:!?'"]+$/, '');
  const closing = end.at(-1);
  const opening = closing === ')' ? '(' : closing === ']' ? '[' : undefined;
  return opening !== undefined && !end.includes(opening) ? withoutTrailing(end.slice(0, -1)) : end;
}

function isIpv6(text: string): boolean {
  const [address = ''] = text.split('/');
  return /[\da-f]/i.test(address) && URL.canParse(`http://[${address}]/`);
}
