// What the writers and the operator made known about every value, and so what a reader with a ceiling may be told.

import { isVisible, visibleMarkings } from '../../src/domain/tlp.ts';
import { numberOf, TLP_MARKINGS, type TlpMarking } from '../../src/domain/vocabulary.ts';
import { markingOf } from '../../src/stix/objects/tlp-markings.ts';
import type { StixObject } from '../support/wire.ts';
import type { Version } from './history.ts';

/** All values of the writers are addresses of the documentation prefix. */
const VALUES = /2001:db8:[0-9a-f:]*[0-9a-f]/g;
/** A tag names the marking of its report. */
const TAG = /^tag-\d+-([a-z_]+)$/;

interface Known {
  /** The least restrictive marking that a report of it ever had. */
  readonly open: TlpMarking;
  /** The least restrictive marking of its acknowledged reports. */
  readonly acknowledged?: TlpMarking;
  /** The last one that the operator gave. */
  readonly marked?: TlpMarking;
  readonly id?: string;
  /** Whether one event says all that is ever reported about it. */
  readonly isSingle: boolean;
}

export class MarkedValues {
  readonly #known = new Map<string, Known>();
  readonly #values = new Map<string, string>();
  /** Acknowledged values with a single report, oldest first. */
  readonly #singles: string[] = [];
  /** Acknowledged values that many report. */
  readonly #shared: string[] = [];
  /** Values that the operator has marked. */
  readonly #marked: string[] = [];

  /** Before a report is sent: it may become known at any moment. */
  report(value: string, tlp: TlpMarking, isSingle: boolean): void {
    const known = this.#known.get(value);
    this.#known.set(value, { ...known, isSingle, open: opener(known?.open, tlp) });
  }

  /** @param id of the STIX object. */
  acknowledge(value: string, tlp: TlpMarking, id: string): void {
    const known = this.#known.get(value);
    if (known === undefined) throw new Error(`${value} was not reported`);
    if (known.id === undefined) (known.isSingle ? this.#singles : this.#shared).push(value);
    this.#known.set(value, { ...known, id, acknowledged: opener(known.acknowledged, tlp) });
    this.#values.set(id, value);
  }

  /** Before the operator marks a value. */
  mark(value: string, tlp: TlpMarking): void {
    const known = this.#known.get(value);
    if (known === undefined) throw new Error(`${value} was not reported`);
    if (known.marked === undefined) this.#marked.push(value);
    this.#known.set(value, { ...known, marked: tlp, open: opener(known.open, tlp) });
  }

  get singles(): readonly string[] {
    return this.#singles;
  }

  get shared(): readonly string[] {
    return this.#shared;
  }

  get marked(): readonly string[] {
    return this.#marked;
  }

  /** The marking of a value with one report. */
  markingOf(value: string): TlpMarking {
    const known = this.#known.get(value);
    return known?.marked ?? known?.open ?? 'UNSPECIFIED';
  }

  /** Whether the operator has marked the value of an indicator, so that earlier versions may be hidden. */
  wasMarked(id: string): boolean {
    return this.#knownBy(id)?.marked !== undefined;
  }

  /** Whether a reader must be told of an indicator because of a report alone. */
  isDue(id: string, ceiling: TlpMarking): boolean {
    const { acknowledged, marked } = this.#knownBy(id) ?? {};
    return acknowledged !== undefined && marked === undefined && isVisible(acknowledged, ceiling);
  }

  /** What an object tells a reader beyond his ceiling. */
  leaks(object: StixObject, ceiling: TlpMarking): readonly string[] {
    const { id, labels = [], object_marking_refs: refs = [] } = object as Marked;
    const leaks: string[] = [];
    for (const ref of refs) {
      const marking = markingOf(ref);
      if (marking === undefined || !isVisible(marking, ceiling)) leaks.push(`${id} is marked ${marking}`);
    }
    for (const [value] of JSON.stringify(object).matchAll(VALUES)) {
      const known = this.#known.get(value);
      if (known === undefined) leaks.push(`${id} names ${value}, which nobody reported`);
      else if (!isVisible(known.open, ceiling)) leaks.push(`${id} names ${value}, which is ${known.open}`);
    }
    // An operator's marking is for all reports.
    for (const label of this.wasMarked(id) ? [] : labels) {
      const named = TAG.exec(label)?.[1];
      if (named !== undefined && !visibleMarkings(ceiling).some((marking) => marking.toLowerCase() === named))
        leaks.push(`${id} has the tag ${label}`);
    }
    return leaks;
  }

  /**
   * What a reader should know of the marked values, and does not.
   * @param shown whether the last version that he got of an indicator was revoked, by STIX id.
   */
  markFaults(shown: ReadonlyMap<string, boolean>, ceiling: TlpMarking): readonly string[] {
    return this.#marked.flatMap((value) => {
      const { id = '', marked = 'RED', isSingle } = this.#known.get(value) ?? {};
      // Later reports about a value that many report have markings of their own.
      if (isSingle !== true) return [];
      const isRevoked = shown.get(id);
      if (isVisible(marked, ceiling))
        return isRevoked === false ? [] : [`${value} is ${marked} now and was not shown as new`];
      return isRevoked === false ? [`${value} is ${marked} now and was not revoked`] : [];
    });
  }

  /** Versions that a log should not have: of a value that was raised above the ceiling, only one version remains. */
  remains(log: readonly Version[], ceiling: TlpMarking): readonly string[] {
    const ends = new Set<string>();
    return log.flatMap(({ id, version, about }) => {
      const { marked, isSingle } = this.#knownBy(about ?? '') ?? {};
      if (marked === undefined || isSingle !== true || isVisible(marked, ceiling)) return [];
      if (id === about && !ends.has(id)) {
        ends.add(id);
        return [];
      }
      return [`${id} of ${version} is still there, and ${about} is ${marked} now`];
    });
  }

  #knownBy(id: string): Known | undefined {
    return this.#known.get(this.#values.get(id) ?? '');
  }
}

type Marked = StixObject & {
  readonly labels?: readonly string[];
  readonly object_marking_refs?: readonly string[];
};

function opener(one: TlpMarking | undefined, other: TlpMarking): TlpMarking {
  return one !== undefined && numberOf(TLP_MARKINGS, one) < numberOf(TLP_MARKINGS, other) ? one : other;
}
