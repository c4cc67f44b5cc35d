// A dialog with one form: what it sends, and what went wrong.

import { type FormEvent, type ReactNode, useId } from 'react';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { PARTS } from '../../text/parts.ts';

interface Props {
  readonly title: string;
  readonly submit: string;
  readonly onSubmit: (form: FormData) => void;
  readonly onClose: () => void;
  readonly busy: boolean;
  readonly error: Error | null;
  readonly children: ReactNode;
}

export function FormDialog({ title, submit, onSubmit, onClose, busy, error, children }: Props) {
  const id = useId();
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {PARTS.cancel}
          </button>
          <button type="submit" form={id} className="button main" disabled={busy}>
            {submit}
          </button>
        </>
      }
    >
      <form id={id} className="admin-form" onSubmit={send}>
        {children}
      </form>
      {error !== null && <ErrorState error={error} />}
    </Dialog>
  );
}
