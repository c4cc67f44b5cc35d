// A one-time link: the first sign-in, an invitation, or a new password.

import { EmptyState } from '../../parts/empty-state.tsx';
import { TITLES } from '../../text/titles.ts';

export function WelcomePage() {
  return (
    <div className="page">
      <h1>{TITLES.welcome}</h1>
      <EmptyState title="This page is under construction" />
    </div>
  );
}
