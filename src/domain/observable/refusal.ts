// Why a value does not become an indicator. Reasons are counted and sent to clients, so they never change their
// meaning.

import type { AddressScope } from './address.ts';

export type ObservableRefusalReason =
  | 'EMPTY_VALUE'
  | 'VALUE_TOO_LONG'
  | 'UNRECOGNISED_VALUE'
  | 'TYPE_MISMATCH'
  | 'INVALID_IPV4'
  | 'INVALID_IPV6'
  | 'INVALID_CIDR'
  | 'INVALID_DOMAIN'
  | 'INVALID_URL'
  | 'INVALID_EMAIL'
  | 'INVALID_HASH'
  | 'INVALID_HASH_LENGTH'
  | 'ADDRESS_WITH_PORT'
  | 'WILDCARD_DOMAIN'
  | 'UNSUPPORTED_SCHEME'
  | 'PRIVATE_ADDRESS'
  | 'LOOPBACK_ADDRESS'
  | 'LINK_LOCAL_ADDRESS'
  | 'MULTICAST_ADDRESS'
  | 'UNSPECIFIED_ADDRESS'
  | 'RESERVED_ADDRESS'
  | 'LOCAL_NAME';

export interface ObservableRefusal {
  readonly ok: false;
  readonly reason: ObservableRefusalReason;
  /** For people. Never contains the value, which an attacker may have chosen. */
  readonly description: string;
}

export interface ObservableOptions {
  /** Accept private and link-local addresses and local names, for a plant that watches its own network. */
  readonly acceptPrivateAddresses: boolean;
}

export function refuse(reason: ObservableRefusalReason, description: string): ObservableRefusal {
  return { ok: false, reason, description };
}

const NOT_PUBLIC: Readonly<Record<Exclude<AddressScope, 'public'>, ObservableRefusal>> = {
  private: refuse('PRIVATE_ADDRESS', 'addresses of private networks are not indicators'),
  'link-local': refuse('LINK_LOCAL_ADDRESS', 'link-local addresses are not indicators'),
  loopback: refuse('LOOPBACK_ADDRESS', 'loopback addresses are not indicators'),
  multicast: refuse('MULTICAST_ADDRESS', 'multicast addresses are not indicators'),
  unspecified: refuse('UNSPECIFIED_ADDRESS', 'the unspecified address is not an indicator'),
  reserved: refuse('RESERVED_ADDRESS', 'reserved addresses are not indicators'),
};

/** The refusal of an address scope; undefined if addresses of the scope are accepted. */
export function refuseScope(scope: AddressScope, options: ObservableOptions): ObservableRefusal | undefined {
  if (scope === 'public') return undefined;
  if (options.acceptPrivateAddresses && (scope === 'private' || scope === 'link-local')) return undefined;
  return NOT_PUBLIC[scope];
}
