// What a rule is.

import type { Survey } from './survey.ts';

/** `MUST`: the standard demands it. `SHOULD`: the standard advises it, or clients in the field depend on it. */
export type Level = 'MUST' | 'SHOULD';

export interface Rule {
  /** Of TAXII 2.1, or of another document that is named: `5.4`, `STIX 3.2`, `RFC 9110 9.3.2`. */
  readonly section: string;
  readonly level: Level;
  /** `area: what holds`. No two rules have the same. */
  readonly title: string;
  /** Ends well when the rule holds; throws a Violation when it is broken, and Untested when it cannot be tried. */
  readonly run: (survey: Survey) => void | Promise<void>;
  /** Running it changes the server: a second run would judge what the first one left behind. */
  readonly writes?: boolean;
}

export function must(section: string, title: string, run: Rule['run']): Rule {
  return { section, level: 'MUST', title, run };
}

export function should(section: string, title: string, run: Rule['run']): Rule {
  return { section, level: 'SHOULD', title, run };
}
