// Confirm, dispute, note, withdraw: each asks in a dialog and says what it will do.

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ThreatIndicator } from '../../api/contract.ts';
import { disputeIndicator } from '../../api/one-indicator.ts';
import { useMay } from '../../app/session.tsx';
import { standingOf } from '../../parts/standing.ts';
import { showToast } from '../../parts/toasts.ts';
import { INDICATOR } from '../../text/indicator.ts';
import { type Act, ActDialog } from './act-dialog.tsx';

export function Acts({ indicator }: { readonly indicator: ThreatIndicator }) {
  const may = useMay('indicators:verify');
  const [open, setOpen] = useState<Act>();
  const [isBusy, setBusy] = useState(false);
  const client = useQueryClient();
  const { id, state } = indicator;
  const standing = standingOf(indicator);
  if (!may) return <p className="soft">{INDICATOR.mayNot}</p>;

  const renew = () => client.invalidateQueries({ queryKey: ['indicator', id] });
  const undo = async () => {
    setBusy(true);
    try {
      await disputeIndicator(id, { undo: true });
      showToast(INDICATOR.undone);
      await renew();
    } catch (error) {
      showToast(error instanceof Error ? error.message : String(error), 'bad');
    } finally {
      setBusy(false);
    }
  };
  const done = async (act: Act) => {
    setOpen(undefined);
    if (act === 'dispute')
      showToast(INDICATOR.disputed, 'good', { text: INDICATOR.undo, run: () => void undo() });
    else
      showToast(
        { confirm: INDICATOR.confirmed, note: INDICATOR.noteAdded, withdraw: INDICATOR.withdrawn }[act],
      );
    await renew();
  };
  const isEnriched = state === 'INDICATOR_STATE_ENRICHED';
  const isVerified = state === 'INDICATOR_STATE_VERIFIED';
  return (
    <div className="indicator-acts">
      {standing === 'STANDING_IN_FORCE' && (
        <>
          {!isVerified && (
            <button
              type="button"
              className="button main"
              disabled={!isEnriched}
              title={isEnriched ? undefined : INDICATOR.whyNoConfirm}
              onClick={() => setOpen('confirm')}
            >
              {INDICATOR.confirm}
            </button>
          )}
          <button type="button" className="button" onClick={() => setOpen('dispute')}>
            {INDICATOR.dispute}
          </button>
        </>
      )}
      {standing === 'STANDING_DISPUTED' && (
        <button type="button" className="button main" disabled={isBusy} onClick={() => void undo()}>
          {INDICATOR.undoDispute}
        </button>
      )}
      <button type="button" className="button" onClick={() => setOpen('note')}>
        {INDICATOR.note}
      </button>
      {standing !== 'STANDING_WITHDRAWN' && (
        <button type="button" className="button danger" onClick={() => setOpen('withdraw')}>
          {INDICATOR.withdraw}
        </button>
      )}
      {open !== undefined && (
        <ActDialog
          key={open}
          act={open}
          indicator={indicator}
          onClose={() => setOpen(undefined)}
          onDone={() => void done(open)}
        />
      )}
    </div>
  );
}
