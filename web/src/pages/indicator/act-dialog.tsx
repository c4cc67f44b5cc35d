// The dialog of one act: what it does, the words for it, and who may read them.

import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { ThreatIndicator, TlpMarking } from '../../api/contract.ts';
import { addNote, confirmIndicator, disputeIndicator, withdrawIndicator } from '../../api/one-indicator.ts';
import { useSignedIn } from '../../app/session.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { MarkingChoice } from '../../parts/marking-choice.tsx';
import { INDICATOR } from '../../text/indicator.ts';
import { PARTS } from '../../text/parts.ts';

export type Act = 'confirm' | 'dispute' | 'note' | 'withdraw';

interface Words {
  readonly text: string;
  readonly tlp: TlpMarking;
}

const TEXT_LIMIT = 2_000;

const TITLES: Readonly<Record<Act, string>> = {
  confirm: INDICATOR.confirm,
  dispute: INDICATOR.dispute,
  note: INDICATOR.note,
  withdraw: INDICATOR.withdraw,
};

const HINTS: Readonly<Record<Act, string | undefined>> = {
  confirm: INDICATOR.confirmHint,
  dispute: INDICATOR.disputeHint,
  note: undefined,
  withdraw: INDICATOR.withdrawHint,
};

function send(act: Act, id: string, { text, tlp }: Words): Promise<ThreatIndicator> {
  if (act === 'confirm') return confirmIndicator(id, text === '' ? {} : { note: text, tlp });
  if (act === 'dispute') return disputeIndicator(id, { reason: text, tlp });
  if (act === 'note') return addNote(id, { text, tlp });
  return withdrawIndicator(id, { reason: text, tlp });
}

interface Props {
  readonly act: Act;
  readonly indicator: ThreatIndicator;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function ActDialog({ act, indicator, onClose, onDone }: Props) {
  const { tlpCeiling } = useSignedIn();
  const form = useId();
  const field = useId();
  const [isMissing, setMissing] = useState(false);
  const sending = useMutation({
    mutationFn: (words: Words) => send(act, indicator.id, words),
    onSuccess: onDone,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = String(given.get('text') ?? '').trim();
    if (text === '' && act !== 'confirm') {
      setMissing(true);
      return;
    }
    sending.mutate({ text, tlp: given.get('tlp') as TlpMarking });
  };
  const label =
    act === 'note' ? INDICATOR.text : act === 'confirm' ? INDICATOR.optionalReason : INDICATOR.reason;
  return (
    <Dialog
      title={TITLES[act]}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {PARTS.cancel}
          </button>
          <button
            type="submit"
            form={form}
            className={act === 'withdraw' ? 'button danger' : 'button main'}
            disabled={sending.isPending}
          >
            {INDICATOR.send[act]}
          </button>
        </>
      }
    >
      <form id={form} className="indicator-form" onSubmit={submit}>
        {HINTS[act] !== undefined && <p>{HINTS[act]}</p>}
        <div className="field">
          <label htmlFor={field}>{label}</label>
          <textarea
            id={field}
            name="text"
            rows={4}
            maxLength={TEXT_LIMIT}
            aria-invalid={isMissing}
            aria-describedby={isMissing ? `${field}-wrong` : undefined}
            onChange={() => setMissing(false)}
          />
          {isMissing && (
            <span id={`${field}-wrong`} className="wrong">
              {INDICATOR.needsReason}
            </span>
          )}
        </div>
        <MarkingChoice label={INDICATOR.readers} name="tlp" most={tlpCeiling} chosen={indicator.tlp} />
        {act === 'withdraw' && (
          <label className="indicator-sure">
            <input type="checkbox" required /> {INDICATOR.withdrawSure}
          </label>
        )}
        {sending.isError && <ErrorState error={sending.error} />}
      </form>
    </Dialog>
  );
}
