// What the account used.

import { EmptyState } from '../../parts/empty-state.tsx';
import { TITLES } from '../../text/titles.ts';

export function UsagePage() {
  return (
    <div className="page">
      <h1>{TITLES.usage}</h1>
      <EmptyState title="This page is under construction" />
    </div>
  );
}
