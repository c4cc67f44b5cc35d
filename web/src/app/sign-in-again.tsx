// The session ended while somebody works: a dialog on top of the page, which keeps all that was typed.

import { useEffect, useRef, useState } from 'react';
import { onSessionEnd } from '../api/client.ts';
import { getSession, type Session } from '../api/session.ts';
import { Dialog } from '../parts/dialog.tsx';
import { SHELL } from '../text/shell.ts';
import { useSessionChange } from './session.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignInAgain({ login }: { readonly login: string }) {
  const [asked, setAsked] = useState(false);
  const answers = useRef<((again: boolean) => void)[]>([]);
  const changed = useSessionChange();

  useEffect(() => {
    onSessionEnd(
      () =>
        new Promise((resolve) => {
          answers.current.push(resolve);
          setAsked(true);
        }),
    );
    return () => onSessionEnd(undefined);
  }, []);

  const finish = (again: boolean) => {
    setAsked(false);
    for (const answer of answers.current.splice(0)) answer(again);
  };
  const signedIn = async (session: Session) => {
    if (!session.signedIn) return;
    // The page shows what somebody else may see.
    if (session.person.login !== login) location.assign('/app/');
    await changed(session);
    finish(true);
  };
  useEffect(() => {
    if (!asked) return;
    // The person may have signed in in another tab.
    const look = async () => {
      const session = await getSession();
      if (session.signedIn) await signedIn(session);
    };
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  });
  if (!asked) return null;
  return (
    <Dialog
      title={SHELL.again}
      onClose={() => {
        finish(false);
        void changed();
      }}
    >
      <p className="soft">{SHELL.againHint}</p>
      <SignInForm login={login} returnTo="/app/account" onSignedIn={signedIn} newTab />
    </Dialog>
  );
}
