// Values as people send them to each other: nothing can be followed by a click. The service reads these forms too.

import type { IndicatorType } from '../api/contract.ts';

export function defang(type: IndicatorType, value: string): string {
  switch (type) {
    case 'INDICATOR_TYPE_IPV4':
    case 'INDICATOR_TYPE_DOMAIN':
    case 'INDICATOR_TYPE_CIDR':
      return value.replaceAll('.', '[.]');
    case 'INDICATOR_TYPE_EMAIL':
      return value.replaceAll('.', '[.]').replaceAll('@', '[@]');
    case 'INDICATOR_TYPE_URL':
      return defangUrl(value);
    default:
      return value;
  }
}

/** The host, and each further address in the path or query. */
function defangUrl(value: string): string {
  return value
    .replace(/\bhttp(?=s?:\/\/)/gi, 'hxxp')
    .replace(/\b(ftp|wss?)(?=:\/\/)/gi, '$1[:]')
    .replaceAll('[:]:', '[:]')
    .replace(/(?<=:?\/\/)[^/?#]*/g, (host) => host.replaceAll('.', '[.]').replaceAll('@', '[@]'));
}
