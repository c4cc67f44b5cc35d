// Signing in.

import { EmptyState } from '../../parts/empty-state.tsx';
import { TITLES } from '../../text/titles.ts';

export function SignInPage() {
  return (
    <div className="page">
      <h1>{TITLES.signIn}</h1>
      <EmptyState title="This page is under construction" />
    </div>
  );
}
