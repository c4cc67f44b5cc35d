// What waits for a human.

import { EmptyState } from '../../parts/empty-state.tsx';
import { TITLES } from '../../text/titles.ts';

export function QueuePage() {
  return (
    <div className="page">
      <h1>{TITLES.queue}</h1>
      <EmptyState title="This page is under construction" />
    </div>
  );
}
