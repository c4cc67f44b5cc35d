// The first steps after the start.

import { EmptyState } from '../../parts/empty-state.tsx';
import { TITLES } from '../../text/titles.ts';

export function StartPage() {
  return (
    <div className="page">
      <h1>{TITLES.start}</h1>
      <EmptyState title="This page is under construction" />
    </div>
  );
}
