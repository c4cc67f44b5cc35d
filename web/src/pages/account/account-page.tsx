// The own password, passkeys, sessions and colours.

import { EmptyState } from '../../parts/empty-state.tsx';
import { TITLES } from '../../text/titles.ts';

export function AccountPage() {
  return (
    <div className="page">
      <h1>{TITLES.account}</h1>
      <EmptyState title="This page is under construction" />
    </div>
  );
}
