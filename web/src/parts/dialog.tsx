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
    if (dialog !== null && !dialog.open) {
      dialog.showModal();
      fieldToFill(dialog)?.focus();
    }
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

/** The first text field without text. The browser itself would begin with the cross. */
function fieldToFill(dialog: HTMLDialogElement): HTMLElement | undefined {
  const fields = dialog.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'textarea, input:not([type]), input[type="text"], input[type="password"]',
  );
  return [...fields].find(({ value, disabled, readOnly }) => value === '' && !disabled && !readOnly);
}
