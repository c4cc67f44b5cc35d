// The caller of a request, as the gateway finds it from the credential: account, scopes, rights.

import type { Scope } from '../domain/scope.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';

export interface Caller {
  /** `client` is a token that a client of the embedded OpenID provider got for itself. */
  readonly credential: 'api-key' | 'sensor-key' | 'jwt' | 'session' | 'client';
  /** Limits and usage go by this: the id of the key, `issuer|subject` of a token, `person|id` of a session. */
  readonly id: string;
  readonly account: string;
  /** For the audit log: the id of the key, the subject, or the login. */
  readonly actor: string;
  /** For a rotated key: the first key of the rotation, whose reports these count as. */
  readonly reportsAs?: string;
  /** Independence group of its reports, if it is another credential: the one at the root of all that made this key. */
  readonly group?: string;
  /** Default name of the source of its events: the name of the key or the person, or the subject. */
  readonly name: string;
  /** As granted; `admin` includes all (see authorize.ts). */
  readonly scopes: ReadonlySet<string>;
  readonly ceiling: TlpMarking;
  /** The highest reliability that its reports may claim, 0 to 1. */
  readonly reliability: number;
  /** The sources for which its reports may speak (ApiKey.sources). Default: none but itself. */
  readonly sources?: readonly string[];
  /** When the credential expires. */
  readonly expiresAt?: number;
}

/** Rights of a credential unless it was given others. */
export const DEFAULT_SCOPES: readonly Scope[] = ['indicators:read'];
export const DEFAULT_CEILING: TlpMarking = 'AMBER_STRICT';
export const DEFAULT_RELIABILITY = 0.7;
/** A sensor of the operator reports what it saw itself. */
export const SENSOR_RELIABILITY = 0.9;
