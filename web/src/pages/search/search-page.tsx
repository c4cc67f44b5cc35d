// Search.

import { EmptyState } from '../../parts/empty-state.tsx';
import { TITLES } from '../../text/titles.ts';

export function SearchPage() {
  return (
    <div className="page">
      <h1>{TITLES.search}</h1>
      <EmptyState title="This page is under construction" />
    </div>
  );
}
