// The operations by which a person judges an indicator: confirm, dispute, withdraw, note. And the history that shows it.

import { invalidArgument } from '../../domain/errors.ts';
import { standingOf } from '../../domain/indicator/computed-labels.ts';
import { actsFor } from '../../domain/indicator/human-act.ts';
import { TLP_MARKINGS } from '../../domain/vocabulary.ts';
import { requirePerson, requireScope } from '../../gateway/authorize.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { Commands } from '../../pipeline/commands.ts';
import { type IndicatorService, nameOf } from '../../protojson/contract.ts';
import type { Stores } from '../../store/stores.ts';
import { existing, found } from './indicator-id.ts';
import type { Operations } from './transcoder.ts';

export interface HumanActDeps {
  readonly stores: Pick<Stores, 'indicators'>;
  readonly commands: Pick<Commands, 'verify' | 'dispute' | 'withdraw' | 'addNote'>;
}

type HumanActs = Pick<
  Operations<typeof IndicatorService>,
  'verifyIndicator' | 'disputeIndicator' | 'withdrawIndicator' | 'addIndicatorNote' | 'getIndicatorHistory'
>;

function authorize(caller: Caller): void {
  requirePerson(caller);
  requireScope(caller, 'indicators:verify');
}

/** What every request of a person has in common. */
function actOf(
  { id, tlp, requestId }: { readonly id: string; readonly tlp: number; readonly requestId: string },
  note: string,
  { actor, ceiling }: Caller,
) {
  return {
    indicatorId: existing(id),
    actor,
    ceiling,
    note,
    tlp: nameOf(TLP_MARKINGS, tlp),
    ...(requestId === '' ? {} : { requestId }),
  };
}

export function humanActOperations({ stores, commands }: HumanActDeps): HumanActs {
  return {
    verifyIndicator: {
      authorize,
      answer: (request, caller) => commands.verify(actOf(request, request.note, caller)),
    },
    disputeIndicator: {
      authorize,
      validate: requireReason,
      answer: async (request, caller) => {
        requireReason(request);
        return commands.dispute({ ...actOf(request, request.reason, caller), undo: request.undo });
      },
    },
    withdrawIndicator: {
      authorize,
      answer: (request, caller) => commands.withdraw(actOf(request, request.reason, caller)),
    },
    addIndicatorNote: {
      authorize,
      answer: (request, caller) => commands.addNote(actOf(request, request.text, caller)),
    },
    getIndicatorHistory: {
      authorize: (caller) => requireScope(caller, 'indicators:read'),
      answer: async ({ id }, { ceiling }) => {
        const { indicator, history, acts } = found(id, await stores.indicators.record(existing(id), ceiling));
        return {
          indicatorId: indicator.id,
          standing: standingOf(indicator),
          transitions: history,
          acts: actsFor(acts ?? [], ceiling),
        };
      },
    },
  };
}

/** @throws ServiceError `invalid_argument`: whoever reads of a dispute wants to know why. */
function requireReason({ reason, undo }: { readonly reason: string; readonly undo: boolean }): void {
  if (undo || reason.trim() !== '') return;
  throw invalidArgument([{ field: 'reason', description: 'must not be empty' }]);
}
