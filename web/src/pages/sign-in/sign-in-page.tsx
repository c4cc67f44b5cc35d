// Signing in, for people who come to the application and for other applications that ask who they are.

import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Session } from '../../api/session.ts';
import { Card } from '../../app/card.tsx';
import { pathAfterSignIn } from '../../app/return-to.ts';
import { useSession, useSessionChange } from '../../app/session.tsx';
import { SignInForm } from '../../app/sign-in-form.tsx';
import { SIGN_IN } from '../../text/sign-in.ts';

export function SignInPage() {
  const { data: session } = useSession();
  const changed = useSessionChange();
  const [, navigate] = useLocation();
  const words = new URLSearchParams(useSearch());
  const interaction = words.get('interaction');
  const path = pathAfterSignIn(words.get('returnTo'));
  const here = session?.signedIn === true;

  // Who is signed in already has nothing to do here.
  useEffect(() => {
    if (!here) return;
    if (interaction === null) navigate(path, { replace: true });
    else location.assign(`/oidc/interaction/${encodeURIComponent(interaction)}`);
  }, [here, interaction, path, navigate]);

  const signedIn = async (next: Session) => {
    await changed(next);
  };
  return (
    <Card title={SIGN_IN.title}>
      {interaction !== null && <p>{SIGN_IN.asked}</p>}
      <SignInForm returnTo={`/app${path}`} onSignedIn={signedIn} />
    </Card>
  );
}
