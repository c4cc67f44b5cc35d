// A new password, typed twice.

import { type FormEvent, useId, useState } from 'react';
import { ServiceError } from '../../api/service-error.ts';
import { WELCOME } from '../../text/sign-in.ts';

const SHORTEST = 12;

export function NewPasswordForm({ onChosen }: { readonly onChosen: (password: string) => Promise<void> }) {
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const id = useId();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const password = String(form.get('password'));
    if (password !== form.get('repeat')) return setFault(WELCOME.different);
    setBusy(true);
    setFault('');
    try {
      await onChosen(password);
    } catch (error) {
      setFault(faultOf(error));
      setBusy(false);
    }
  };
  return (
    <form className="sign-in-form" onSubmit={(event) => void submit(event)}>
      <div className="field">
        <label htmlFor={`${id}-password`}>{WELCOME.password}</label>
        <input
          id={`${id}-password`}
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={SHORTEST}
          aria-describedby={`${id}-hint`}
          required
        />
        <p id={`${id}-hint`} className="hint">
          {WELCOME.chooseHint}
        </p>
      </div>
      <div className="field">
        <label htmlFor={`${id}-repeat`}>{WELCOME.repeat}</label>
        <input id={`${id}-repeat`} name="repeat" type="password" autoComplete="new-password" required />
      </div>
      {fault !== '' && (
        <p className="wrong" role="alert">
          {fault}
        </p>
      )}
      <button type="submit" className="button main" disabled={busy}>
        {WELCOME.submit}
      </button>
    </form>
  );
}

function faultOf(error: unknown): string {
  if (!(error instanceof ServiceError)) return String(error);
  return error.violations[0]?.description ?? error.message;
}
