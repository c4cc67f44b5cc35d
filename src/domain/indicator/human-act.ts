// What people did with an indicator: confirmed, disputed, withdrew it, or wrote a note. The verdict belongs to the
// indicator, so every reader of it knows that it was given, by whom and when. The words are for readers up to a marking.

import type { Instant } from '../instant.ts';
import { isVisible } from '../tlp.ts';
import type { TlpMarking } from '../vocabulary.ts';

/** The index of a name is its number in the contract. */
export const HUMAN_ACT_KINDS = [
  'UNSPECIFIED',
  'CONFIRM',
  'DISPUTE',
  'UNDO_DISPUTE',
  'WITHDRAW',
  'NOTE',
] as const;
export type HumanActKind = Exclude<(typeof HUMAN_ACT_KINDS)[number], 'UNSPECIFIED'>;

export interface HumanAct {
  readonly kind: HumanActKind;
  readonly at: Instant;
  /** Subject of a JWT, login of a person, or `cli`. */
  readonly actor: string;
  /** Why, or the text of a note. May be empty for a verdict. */
  readonly note: string;
  /** Who may read `note`. UNSPECIFIED if there is none. */
  readonly tlp: TlpMarking;
}

/** Characters of a note or a reason. */
export const HUMAN_TEXT_LIMIT = 2_000;
/** Every event rewrites the record, so its notes are few. They are counted by marking: none tells of hidden ones. */
export const NOTE_LIMIT = 20;
/** The latest verdicts are kept. All of them are in the audit log. */
const VERDICT_LIMIT = 20;

/** Whether there is room for one more note with this marking. */
export function hasRoomForNote(acts: readonly HumanAct[], tlp: TlpMarking): boolean {
  return acts.filter((act) => act.kind === 'NOTE' && act.tlp === tlp).length < NOTE_LIMIT;
}

/** Adds an act. Beyond the limit, the oldest verdict goes. */
export function withAct(acts: readonly HumanAct[], act: HumanAct): readonly HumanAct[] {
  const all = [...acts, act];
  const verdicts = all.filter(({ kind }) => kind !== 'NOTE');
  return verdicts.length <= VERDICT_LIMIT ? all : all.filter((one) => one !== verdicts[0]);
}

/** The acts as a reader may know them: a note above his ceiling does not exist, and a verdict is there without its words. */
export function actsFor(acts: readonly HumanAct[], ceiling: TlpMarking): readonly HumanAct[] {
  return acts.flatMap((act) => {
    if (isVisible(act.tlp, ceiling)) return [act];
    return act.kind === 'NOTE' ? [] : [{ ...act, note: '', tlp: 'UNSPECIFIED' }];
  });
}
