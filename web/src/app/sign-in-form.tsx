// Signing in by password, by passkey, or with the identity provider of the organisation.

import { type FormEvent, useId, useState } from 'react';
import { ServiceError } from '../api/service-error.ts';
import { type Session, signInWithPassword } from '../api/session.ts';
import { SIGN_IN } from '../text/sign-in.ts';
import { useSession } from './session.tsx';

interface Props {
  /** Filled in. */
  readonly login?: string;
  readonly onSignedIn: (session: Session) => Promise<void>;
  /** The provider is opened in another tab, because this page must stay. */
  readonly newTab?: boolean;
}

export function SignInForm({ login = '', onSignedIn }: Props) {
  const { data: session } = useSession();
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const id = useId();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setFault('');
    try {
      await onSignedIn(await signInWithPassword(String(form.get('login')), String(form.get('password'))));
    } catch (error) {
      setFault(faultText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="sign-in-form" onSubmit={(event) => void submit(event)}>
      {session?.signedIn === false && session.firstStart && <p>{SIGN_IN.firstStart}</p>}
      <div className="field">
        <label htmlFor={`${id}-login`}>{SIGN_IN.login}</label>
        <input id={`${id}-login`} name="login" defaultValue={login} autoComplete="username" required />
      </div>
      <div className="field">
        <label htmlFor={`${id}-password`}>{SIGN_IN.password}</label>
        <input
          id={`${id}-password`}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
      </div>
      {fault !== '' && (
        <p className="wrong" role="alert">
          {fault}
        </p>
      )}
      <button type="submit" className="button main" disabled={busy}>
        {SIGN_IN.submit}
      </button>
    </form>
  );
}

function faultText(error: unknown): string {
  if (!(error instanceof ServiceError)) return String(error);
  if (error.status === 401) return SIGN_IN.wrong;
  if (error.retryAfter !== undefined) return SIGN_IN.wait(error.retryAfter);
  return error.message;
}
