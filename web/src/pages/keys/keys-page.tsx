// API keys of the account.

import { EmptyState } from '../../parts/empty-state.tsx';
import { TITLES } from '../../text/titles.ts';

export function KeysPage() {
  return (
    <div className="page">
      <h1>{TITLES.keys}</h1>
      <EmptyState title="This page is under construction" />
    </div>
  );
}
