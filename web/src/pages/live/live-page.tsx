// Events as they come.

import { EmptyState } from '../../parts/empty-state.tsx';
import { TITLES } from '../../text/titles.ts';

export function LivePage() {
  return (
    <div className="page">
      <h1>{TITLES.live}</h1>
      <EmptyState title="This page is under construction" />
    </div>
  );
}
