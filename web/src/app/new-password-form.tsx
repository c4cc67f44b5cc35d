// A new password, typed twice.

import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { ServiceError } from '../api/service-error.ts';
import { NEW_PASSWORD } from '../text/sign-in.ts';
import './card.css';

interface Props {
  readonly submit: string;
  /** Gets the form too, for fields that stand above. */
  readonly onChosen: (password: string, form: FormData) => Promise<void>;
  readonly children?: ReactNode;
}

export function NewPasswordForm({ submit, onChosen, children }: Props) {
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const id = useId();
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    const password = String(form.get('password'));
    if (password !== form.get('repeat')) return setFault(NEW_PASSWORD.different);
    setBusy(true);
    setFault('');
    try {
      await onChosen(password, form);
      element.reset();
    } catch (error) {
      setFault(faultOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="sign-in-form" onSubmit={(event) => void onSubmit(event)}>
      {children}
      <div className="field">
        <label htmlFor={`${id}-password`}>{NEW_PASSWORD.password}</label>
        <input
          id={`${id}-password`}
          name="password"
          type="password"
          autoComplete="new-password"
          aria-describedby={`${id}-hint`}
          required
        />
        <p id={`${id}-hint`} className="hint">
          {NEW_PASSWORD.hint}
        </p>
      </div>
      <div className="field">
        <label htmlFor={`${id}-repeat`}>{NEW_PASSWORD.repeat}</label>
        <input id={`${id}-repeat`} name="repeat" type="password" autoComplete="new-password" required />
      </div>
      {fault !== '' && (
        <p className="wrong" role="alert">
          {fault}
        </p>
      )}
      <button type="submit" className="button main" disabled={busy}>
        {submit}
      </button>
    </form>
  );
}

function faultOf(error: unknown): string {
  if (!(error instanceof ServiceError)) return String(error);
  const [violation] = error.violations;
  if (violation === undefined) return error.message;
  const field = NEW_PASSWORD.fields[violation.field];
  return field === undefined ? violation.description : `${field} ${violation.description}.`;
}
