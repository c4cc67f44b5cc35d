// Who is calling, once the gateway has judged the credential.

import type { TlpMarking } from '../domain/vocabulary.ts';

export const SCOPES = [
  'indicators:read',
  'indicators:verify',
  'events:write',
  'feed:write',
  'keys:manage',
  'usage:read',
  'admin',
] as const;
export type Scope = (typeof SCOPES)[number];

export interface Caller {
  readonly credential: 'api-key' | 'sensor-key' | 'jwt';
  /** Limits and usage go by this: the id of the key, or `issuer|subject` of the person. */
  readonly id: string;
  readonly account: string;
  /** For the audit log: id of the key, or the subject. */
  readonly actor: string;
  /** The credential that its reports count as, when it is another: the first of the keys that were rotated into this one. */
  readonly reportsAs?: string;
  /** Default name of the source of its events: name of the key, or the subject. */
  readonly name: string;
  /** As granted; `admin` includes all (see authorize.ts). */
  readonly scopes: ReadonlySet<string>;
  readonly ceiling: TlpMarking;
  /** What its reports may claim at most, 0 to 1. */
  readonly reliability: number;
  /** When the credential ends by itself; open connections are cut then. */
  readonly expiresAt?: number;
}
