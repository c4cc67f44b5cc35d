// Why one or several indicators are wrong. One reason is sent with each of them.

import { type FormEvent, useId, useState } from 'react';
import type { TlpMarking } from '../../api/contract.ts';
import { useSignedIn } from '../../app/session.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { MarkingChoice } from '../../parts/marking-choice.tsx';
import { PARTS } from '../../text/parts.ts';
import { QUEUE } from '../../text/queue.ts';

interface Props {
  readonly what: string;
  /** The marking that is proposed. */
  readonly tlp: TlpMarking;
  readonly onClose: () => void;
  readonly onSend: (reason: string, tlp: TlpMarking) => void;
}

export function DisputeDialog({ what, tlp, onClose, onSend }: Props) {
  const { tlpCeiling } = useSignedIn();
  const [isMissing, setMissing] = useState(false);
  const form = useId();
  const field = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const reason = String(given.get('reason') ?? '').trim();
    if (reason === '') setMissing(true);
    else onSend(reason, given.get('tlp') as TlpMarking);
  };
  return (
    <Dialog
      title={QUEUE.disputeTitle(what)}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {PARTS.cancel}
          </button>
          <button type="submit" form={form} className="button main">
            {QUEUE.send}
          </button>
        </>
      }
    >
      <form id={form} className="queue-form" onSubmit={submit}>
        <div className="field">
          <label htmlFor={field}>{QUEUE.reason}</label>
          <textarea
            id={field}
            name="reason"
            rows={3}
            maxLength={2_000}
            aria-invalid={isMissing}
            aria-describedby={isMissing ? `${field}-wrong` : undefined}
            onChange={() => setMissing(false)}
          />
          {isMissing && (
            <span id={`${field}-wrong`} className="wrong">
              {QUEUE.needsReason}
            </span>
          )}
        </div>
        <MarkingChoice label={QUEUE.readers} name="tlp" most={tlpCeiling} chosen={tlp} />
      </form>
    </Dialog>
  );
}
