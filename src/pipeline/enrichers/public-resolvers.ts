// The one warning list that is built in: addresses of well-known public DNS resolvers, as their operators publish them.
// Every infected machine asks them, so they turn up in logs; blocking one takes the names away from everybody behind it.

import type { WarningList } from '../../domain/warning-list/warning-list.ts';

export const PUBLIC_RESOLVERS: WarningList = {
  id: 'built-in',
  name: 'built-in public resolvers',
  version: '1',
  kind: 'cidr',
  attributes: ['ip-src', 'ip-dst'],
  entries: [
    // Google
    '8.8.8.8',
    '8.8.4.4',
    '2001:4860:4860::8888',
    '2001:4860:4860::8844',
    // Cloudflare
    '1.1.1.1',
    '1.0.0.1',
    '2606:4700:4700::1111',
    '2606:4700:4700::1001',
    // Quad9
    '9.9.9.9',
    '149.112.112.112',
    '2620:fe::fe',
    '2620:fe::9',
    // OpenDNS
    '208.67.222.222',
    '208.67.220.220',
    '2620:119:35::35',
    '2620:119:53::53',
  ],
};
