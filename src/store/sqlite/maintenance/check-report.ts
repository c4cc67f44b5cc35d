// What a check of a data folder tells.

/** One thing that is not as it has to be. Nothing in it is a secret: ids, places and numbers only. */
export interface Problem {
  /** Name of the rule that was broken, such as `job-without-indicator`. */
  readonly rule: string;
  /** What broke it: an id, a row, a file. */
  readonly subject: string;
}

export interface CheckedFile {
  readonly name: string;
  readonly bytes: number;
}

export interface CheckReport {
  readonly ok: boolean;
  readonly files: readonly CheckedFile[];
  readonly indicators: number;
  readonly feedVersions: number;
  readonly jobs: { readonly pending: number; readonly dead: number };
  /** All of them; the list below may be shorter. */
  readonly problemCount: number;
  readonly problems: readonly Problem[];
}

/** Problems told one by one; a broken store may have one for every row. */
const LISTED = 100;

export class Findings {
  readonly listed: Problem[] = [];
  count = 0;

  add(rule: string, subject: string): void {
    this.count += 1;
    if (this.listed.length < LISTED) this.listed.push({ rule, subject });
  }
}
