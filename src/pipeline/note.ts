// Notes: what people want to tell each other about an indicator. A note changes nothing else.

import { ServiceError } from '../domain/errors.ts';
import { hasRoomForNote, NOTE_LIMIT } from '../domain/indicator/human-act.ts';
import { doAct, type HumanActParts, type HumanActRequest } from './human-act.ts';

/**
 * Adds a note to an indicator. Resolves and rejects as `doAct` does; with `failed_precondition` when there is no more room
 * for notes with this marking.
 */
export type AddNote = (request: HumanActRequest) => Promise<string>;

export function createAddNote(parts: HumanActParts): AddNote {
  return (request) =>
    doAct(parts, request, {
      kind: 'NOTE',
      action: 'indicator.note',
      change: (views, { acts = [] }, { tlp }) => {
        if (hasRoomForNote(acts, tlp)) return [...views];
        const message = `the indicator has ${NOTE_LIMIT} notes with the marking ${tlp} already`;
        throw new ServiceError('failed_precondition', message, { reason: 'TOO_MANY_NOTES' });
      },
    });
}
