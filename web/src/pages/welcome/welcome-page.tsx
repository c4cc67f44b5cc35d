// A one-time link. Its token is behind the `#`, which browsers send to nobody; a request with a body redeems it.

import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { ServiceError } from '../../api/service-error.ts';
import { redeemLink, type Session } from '../../api/session.ts';
import { Card } from '../../app/card.tsx';
import { NewPasswordForm } from '../../app/new-password-form.tsx';
import { useSessionChange } from '../../app/session.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { WELCOME } from '../../text/sign-in.ts';

export function WelcomePage() {
  const [token, setToken] = useState(tokenInAddress);
  const [step, setStep] = useState<unknown>('opening');
  const changed = useSessionChange();
  const [, navigate] = useLocation();
  const asked = useRef('');

  const enter = async (session: Session) => {
    await changed(session);
    navigate('/', { replace: true });
  };
  useEffect(() => {
    // Another link in the same tab changes nothing but the part behind the `#`.
    const follow = () => tokenInAddress() !== '' && setToken(tokenInAddress());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  useEffect(() => {
    if (token === '' || asked.current === token) return;
    asked.current = token;
    // The token is to be neither in the history nor on a shared screen.
    history.replaceState(null, '', location.pathname);
    setStep('opening');
    redeemLink(token).then(
      (answer) => (answer === 'password' ? setStep('password') : enter(answer)),
      (error: unknown) => setStep(isUsed(error) ? 'used' : error),
    );
  });

  if (token === '') {
    return (
      <Card title={WELCOME.noToken}>
        <p>{WELCOME.noTokenHint}</p>
        <Link href="/sign-in">{WELCOME.toSignIn}</Link>
      </Card>
    );
  }
  if (step === 'opening') {
    return (
      <Card title={WELCOME.title}>
        <p>{WELCOME.opening}</p>
      </Card>
    );
  }
  if (step === 'password') {
    return (
      <Card title={WELCOME.choose}>
        <NewPasswordForm
          submit={WELCOME.submit}
          onChosen={async (password) => {
            const session = await redeemLink(token, password);
            if (session !== 'password') await enter(session);
          }}
        />
      </Card>
    );
  }
  if (step === 'used') {
    return (
      <Card title={WELCOME.used}>
        <p>{WELCOME.usedHint}</p>
        <Link href="/sign-in">{WELCOME.toSignIn}</Link>
      </Card>
    );
  }
  return <ErrorState error={step} onRetry={() => location.reload()} />;
}

function tokenInAddress(): string {
  return location.hash.slice(1);
}

function isUsed(error: unknown): boolean {
  return error instanceof ServiceError && (error.status === 401 || error.status === 400);
}
