// Who is signed in. Pages ask here and never read the cookie.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect } from 'react';
import { getSession, mayUse, type Scope, type Session, type SignedIn, signOut } from '../api/session.ts';

const KEY = ['session'];
/** Tells the other tabs of this browser that the session changed. */
const tabs = new BroadcastChannel('tis-session');

export function useSession() {
  return useQuery<Session>({
    queryKey: KEY,
    queryFn: getSession,
    // Asked again only when something changed it. If the page learned by itself that the session has ended, it would leave
    // for the sign-in page and lose what was typed; the next refused request opens a dialog instead.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** Takes up a new session, or its end, in this tab and the others. */
export function useSessionChange(): (session?: Session) => Promise<void> {
  const client = useQueryClient();
  return useCallback(
    async (session) => {
      tabs.postMessage('changed');
      if (session !== undefined) client.setQueryData(KEY, session);
      else await client.invalidateQueries({ queryKey: KEY });
    },
    [client],
  );
}

/** Follows what other tabs did: signed out in one is signed out in all. */
export function useOtherTabs(): void {
  const client = useQueryClient();
  useEffect(() => {
    const follow = () => void client.invalidateQueries({ queryKey: KEY });
    tabs.addEventListener('message', follow);
    return () => tabs.removeEventListener('message', follow);
  }, [client]);
}

export function useSignOut(): () => Promise<void> {
  const client = useQueryClient();
  const changed = useSessionChange();
  return async () => {
    await signOut();
    // What this person saw is not for the next one.
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] });
    await changed();
  };
}

const Person = createContext<SignedIn | undefined>(undefined);

export function SignedInProvider(props: { readonly session: SignedIn; readonly children: ReactNode }) {
  return <Person value={props.session}>{props.children}</Person>;
}

/** The person of a page that only signed-in people see. */
export function useSignedIn(): SignedIn {
  const session = useContext(Person);
  if (session === undefined) throw new Error('this page is for people who are signed in');
  return session;
}

/** Whether the person may do what needs this scope. */
export function useMay(scope: Scope): boolean {
  return mayUse(useSignedIn(), scope);
}
