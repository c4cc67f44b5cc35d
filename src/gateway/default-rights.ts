// The rights of a credential of which nothing else was said.

import type { TlpMarking } from '../domain/vocabulary.ts';
import type { Scope } from './caller.ts';

export const DEFAULT_SCOPES: readonly Scope[] = ['indicators:read'];
export const DEFAULT_CEILING: TlpMarking = 'AMBER_STRICT';
export const DEFAULT_RELIABILITY = 0.7;
