// A URL that a log names, and the host it points at.

import type { Evidence } from './evidence-text.ts';
import type { Shown } from './sensor-record.ts';
import { addressType } from './source-address.ts';

/** The URL and its host, which may be an address or a name; neither when the text is no absolute URL. */
export function urlAndHost(text: string, evidence: Evidence): Shown[] {
  const host = hostOf(text);
  if (host === undefined) return [];
  return [
    { type: 'URL', value: text, evidence },
    { type: addressType(host) ?? 'DOMAIN', value: host, evidence },
  ];
}

function hostOf(text: string): string | undefined {
  // The parser would silently drop tabs and line ends, and so join what were two values.
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/\p{Cc}/u.test(text) ? URL.parse(text) : null;
  const host = url?.hostname ?? '';
  if (host === '') return undefined;
  return host.startsWith('[') ? host.slice(1, -1) : host;
}
