// Administration.

import { EmptyState } from '../../parts/empty-state.tsx';
import { TITLES } from '../../text/titles.ts';

export function AdminPage() {
  return (
    <div className="page">
      <h1>{TITLES.admin}</h1>
      <EmptyState title="This page is under construction" />
    </div>
  );
}
