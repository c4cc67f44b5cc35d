// Addresses that never become indicators, by a list independent of the service.

import { BlockList, isIP } from 'node:net';

const NOT_PUBLIC = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 4],
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv6');
}

/** Whether a text is an address that is private, loopback, link-local, multicast or unspecified. */
export function isNotPublic(text: string): boolean {
  const family = isIP(text);
  return family !== 0 && NOT_PUBLIC.check(text, family === 4 ? 'ipv4' : 'ipv6');
}
