// A modal dialog on the element of the browser, which holds the focus and closes with Escape.

import { type ReactNode, useEffect, useId, useRef } from 'react';
import { PARTS } from '../text/parts.ts';
import './dialog.css';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Buttons below the content. */
  readonly actions?: ReactNode;
  readonly wide?: boolean;
  /** Escape and the cross do nothing: something would be lost. */
  readonly sticky?: boolean;
}

/** Shown as long as it is rendered. */
export function Dialog({ title, onClose, children, actions, wide = false, sticky = false }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = element.current;
    if (dialog !== null && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      className={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        if (!sticky) onClose();
      }}
    >
      <header className="dialog-head">
        <h2 id={heading}>{title}</h2>
        {!sticky && (
          <button type="button" className="button plain small" aria-label={PARTS.close} onClick={onClose}>
            ×
          </button>
        )}
      </header>
      <div className="dialog-body">{children}</div>
      {actions && <footer className="dialog-actions">{actions}</footer>}
    </dialog>
  );
}
