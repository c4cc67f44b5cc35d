// Signing in, for people who come to the application and for other applications that ask who they are.

import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { Card } from '../../app/card.tsx';
import { useQueryString } from '../../app/query-string.ts';
import { pathAfterSignIn } from '../../app/return-to.ts';
import { useSession, useSessionChange } from '../../app/session.tsx';
import { SignInForm } from '../../app/sign-in-form.tsx';
import { CONSENT } from '../../text/consent.ts';
import { SIGN_IN } from '../../text/sign-in.ts';
import { Consent } from './consent.tsx';
import './sign-in.css';

export function SignInPage() {
  const { data: session } = useSession();
  const changed = useSessionChange();
  const [, navigate] = useLocation();
  const search = useQueryString();
  const words = new URLSearchParams(search);
  const interaction = words.get('interaction');
  const fault = words.get('error');
  const path = pathAfterSignIn(words.get('returnTo'));
  const isDone = session?.signedIn === true && interaction === null;

  // Who is signed in already has nothing to do here.
  useEffect(() => {
    if (isDone) navigate(path, { replace: true });
  }, [isDone, path, navigate]);

  if (session?.signedIn === true && interaction !== null) {
    return (
      <Card title={CONSENT.title}>
        <Consent id={interaction} session={session} />
      </Card>
    );
  }
  // The provider of the organisation comes back to this question, or to the page that was asked for.
  const returnTo = interaction === null ? `/app${path}` : `/app/sign-in?${search}`;
  return (
    <Card title={SIGN_IN.title}>
      {interaction !== null && <p>{SIGN_IN.asked}</p>}
      {fault !== null && (
        <p className="wrong" role="alert">
          {SIGN_IN.faults[fault] ?? SIGN_IN.faults.SIGN_IN_REFUSED}
        </p>
      )}
      <SignInForm returnTo={returnTo} onSignedIn={changed} />
    </Card>
  );
}
