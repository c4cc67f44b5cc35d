// The form of a rule.

import type { Survey } from './survey.ts';

/** `MUST`: the standard demands it. `SHOULD`: the standard advises it, or clients in the field depend on it. */
export type Level = 'MUST' | 'SHOULD';

export interface Rule {
  /** Section of TAXII 2.1, or of a named document: `5.4`, `STIX 3.2`, `RFC 9110 9.3.2`. */
  readonly section: string;
  readonly level: Level;
  /** `area: what holds`. Unique. */
  readonly title: string;
  /** Returns if the rule holds. Throws a Violation if it is broken, and Untested if it cannot be tested. */
  readonly run: (survey: Survey) => void | Promise<void>;
  /** Whether the test changes the server. A second run would judge the leftovers of the first. */
  readonly writes?: boolean;
}

export function must(section: string, title: string, run: Rule['run']): Rule {
  return { section, level: 'MUST', title, run };
}

export function should(section: string, title: string, run: Rule['run']): Rule {
  return { section, level: 'SHOULD', title, run };
}
