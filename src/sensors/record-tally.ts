// Counts the results of one input, so that every record is accounted for.

import type { RecordResult, RefusalReason, RefusedRecord } from './reader.ts';

/** Line numbers kept for each reason, enough to look at the file. */
const MAX_LINES = 10;

export interface RefusedRecords {
  readonly count: number;
  /** The first ten. */
  readonly lines: readonly number[];
  /** What is wrong with the first of them, in words. */
  readonly detail?: string;
}

export class RecordTally {
  withEvents = 0;
  withoutObservable = 0;
  refused = 0;
  readonly #reasons = new Map<RefusalReason, { count: number; lines: number[]; detail?: string }>();

  add(result: RecordResult): void {
    switch (result.kind) {
      case 'events':
        this.withEvents += 1;
        break;
      case 'withoutObservable':
        this.withoutObservable += 1;
        break;
      case 'refused':
        this.refused += 1;
        this.#refuse(result);
    }
  }

  get records(): number {
    return this.withEvents + this.withoutObservable + this.refused;
  }

  /** By reason, the most frequent first. */
  get reasons(): ReadonlyMap<RefusalReason, RefusedRecords> {
    return new Map([...this.#reasons].sort(([, a], [, b]) => b.count - a.count));
  }

  #refuse({ reason, line, detail }: RefusedRecord): void {
    const known = this.#reasons.get(reason);
    if (known === undefined) {
      this.#reasons.set(reason, { count: 1, lines: [line], ...(detail === undefined ? {} : { detail }) });
    } else {
      known.count += 1;
      if (known.lines.length < MAX_LINES) known.lines.push(line);
    }
  }
}
