// The problems that a check has found so far.

import type { Problem } from '../../driver.ts';

/** Listed one by one; a broken store may have one for every row. */
const LISTED = 100;

export class Findings {
  readonly listed: Problem[] = [];
  count = 0;

  add(rule: string, subject: string): void {
    this.count += 1;
    if (this.listed.length < LISTED) this.listed.push({ rule, subject });
  }
}
