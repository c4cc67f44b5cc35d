// The views of indicators that one transaction changes, and the writes that store them.

import { type Audience, NOBODY } from '../domain/audience.ts';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import { audiencesOf, type Views } from '../domain/indicator/views.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import type { IndicatorWrite, ViewKey } from '../store/indicators.ts';
import type { EncodeIndicator } from './publish.ts';

interface MadeView {
  readonly id: string;
  readonly marking: TlpMarking;
  /** The marking of the view below it at that time. Undefined if there was none. */
  readonly madeFrom: TlpMarking | undefined;
}

export class ViewChanges {
  readonly #stored: ReadonlyMap<string, Views>;
  readonly #after = new Map<string, Views>();
  readonly #made: MadeView[] = [];

  /** @param stored the indicators as the transaction has loaded them. */
  constructor(stored: ReadonlyMap<string, Views>) {
    this.#stored = stored;
  }

  /** The views as changed so far. */
  of(id: string): Views {
    return this.#after.get(id) ?? this.#before(id);
  }

  /** Notes the views after a change that made one view at most. */
  set(id: string, after: Views): void {
    const before = this.of(id);
    if (after.length > before.length) {
      const place = after.findIndex(({ indicator }, index) => before[index]?.indicator.tlp !== indicator.tlp);
      const made = after[place];
      const below = place === 0 ? undefined : after[place - 1];
      if (made !== undefined)
        this.#made.push({ id, marking: made.indicator.tlp, madeFrom: below?.indicator.tlp });
    }
    this.#after.set(id, after);
  }

  /** A view as changed so far, with its readers. */
  view({ indicatorId, marking }: ViewKey): {
    readonly record?: IndicatorRecord;
    readonly audience?: Audience;
  } {
    const views = this.of(indicatorId);
    const index = views.findIndex(({ indicator }) => indicator.tlp === marking);
    const record = views[index];
    const audience = audiencesOf(views)[index];
    return record === undefined || audience === undefined ? {} : { record, audience };
  }

  /** Notes another record of a view that has changed before. */
  replace({ indicatorId, marking }: ViewKey, record: IndicatorRecord): void {
    const views = this.of(indicatorId);
    this.#after.set(
      indicatorId,
      views.map((view) => (view.indicator.tlp === marking ? record : view)),
    );
  }

  /** The views whose record has changed. */
  keys(): readonly ViewKey[] {
    return [...this.#after].flatMap(([indicatorId, after]) => {
      const before = new Set(this.#before(indicatorId));
      return after
        .filter((view) => !before.has(view))
        .map(({ indicator }) => ({ indicatorId, marking: indicator.tlp }));
    });
  }

  /**
   * The views whose record or audience has changed. The new ones come in the order in which they were made, because that
   * is the order in which their readers find them.
   * @param left the views that a job will save again. Those that readers have already are written without a document.
   */
  writes(encode: EncodeIndicator, left: readonly ViewKey[]): readonly IndicatorWrite[] {
    const writes: IndicatorWrite[] = [];
    for (const { id, marking, madeFrom } of this.#made) {
      const { record, audience } = this.view({ indicatorId: id, marking });
      if (record === undefined || audience === undefined) continue;
      const write = { record, audience, document: encode(record.indicator) };
      writes.push(madeFrom === undefined ? write : { ...write, madeFrom });
    }
    const waiting = new Set(left.map(({ indicatorId, marking }) => `${indicatorId} ${marking}`));
    for (const [id, after] of this.#after) {
      for (const { record, audience, hasSameReaders } of changedViews(this.#before(id), after)) {
        const waits = hasSameReaders && waiting.has(`${id} ${record.indicator.tlp}`);
        writes.push(waits ? { record, audience } : { record, audience, document: encode(record.indicator) });
      }
    }
    return writes;
  }

  #before(id: string): Views {
    return this.#stored.get(id) ?? [];
  }
}

/** The writes of the views of an indicator that have changed. No view is new. */
export function writesOf(before: Views, views: Views, encode: EncodeIndicator): readonly IndicatorWrite[] {
  const audiences = audiencesOf(views);
  return views.flatMap((record, index) => {
    const audience = audiences[index] ?? NOBODY;
    return record === before[index] ? [] : [{ record, audience, document: encode(record.indicator) }];
  });
}

interface ChangedView {
  readonly record: IndicatorRecord;
  readonly audience: Audience;
  /** Whether the same readers had the view before. Nobody has an archived one. */
  readonly hasSameReaders: boolean;
}

/** The views that were there before and have another record or another audience now. */
function changedViews(before: Views, after: Views): readonly ChangedView[] {
  const audiences = audiencesOf(before);
  return audiencesOf(after).flatMap((audience, index) => {
    const record = after[index];
    const place = before.findIndex(({ indicator }) => indicator.tlp === record?.indicator.tlp);
    const earlier = before[place];
    if (record === undefined || record.archivedAt !== undefined || earlier === undefined) return [];
    const hasSameReaders = earlier.archivedAt === undefined && audiences[place] === audience;
    return earlier === record && audiences[place] === audience ? [] : [{ record, audience, hasSameReaders }];
  });
}
