// Signing in by password, by passkey, or with the identity provider of the organisation.

import { type FormEvent, useId, useState } from 'react';
import { ServiceError } from '../api/service-error.ts';
import { type Session, signInWithPassword } from '../api/session.ts';
import { SIGN_IN } from '../text/sign-in.ts';
import { useSession } from './session.tsx';
import './card.css';

interface Props {
  /** Filled in. */
  readonly login?: string;
  /** Where the identity provider of the organisation comes back to. */
  readonly returnTo: string;
  readonly onSignedIn: (session: Session) => Promise<void>;
  /** The provider is opened in another tab, because this page must stay. */
  readonly newTab?: boolean;
}

export function SignInForm({ login = '', returnTo, onSignedIn, newTab = false }: Props) {
  const { data: session } = useSession();
  const offers = session?.signedIn === false ? session : undefined;
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const id = useId();

  const attempt = async (signIn: () => Promise<Session>, faultOf: (error: unknown) => string) => {
    setBusy(true);
    setFault('');
    try {
      await onSignedIn(await signIn());
    } catch (error) {
      setFault(faultOf(error));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void attempt(
      () => signInWithPassword(String(form.get('login')), String(form.get('password'))),
      passwordFault,
    );
  };
  const byPasskey = () =>
    void attempt(
      async () => (await import('../api/passkeys.ts')).signInWithPasskey(),
      () => SIGN_IN.passkeyFailed,
    );
  return (
    <div className="sign-in-form">
      {offers?.firstStart && <p>{SIGN_IN.firstStart}</p>}
      <form className="sign-in-form" onSubmit={submit}>
        <div className="field">
          <label htmlFor={`${id}-login`}>{SIGN_IN.login}</label>
          <input
            id={`${id}-login`}
            name="login"
            defaultValue={login}
            autoComplete="username webauthn"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
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
      {(offers?.passkeys || offers?.external) && <p className="sign-in-or">{SIGN_IN.or}</p>}
      {offers?.passkeys && (
        <button type="button" className="button" disabled={busy} onClick={byPasskey}>
          {SIGN_IN.passkey}
        </button>
      )}
      {offers?.external && (
        <a
          className="button"
          href={`/auth/start?returnTo=${encodeURIComponent(returnTo)}`}
          target={newTab ? '_blank' : undefined}
          rel="noreferrer"
        >
          {SIGN_IN.external(offers.external.name)}
        </a>
      )}
    </div>
  );
}

function passwordFault(error: unknown): string {
  if (!(error instanceof ServiceError)) return String(error);
  if (error.retryAfter !== undefined) return SIGN_IN.wait(error.retryAfter);
  return error.status === 401 ? SIGN_IN.wrong : error.message;
}
