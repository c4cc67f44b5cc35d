// Collections of the feed, and who follows them.

import { EmptyState } from '../../parts/empty-state.tsx';
import { TITLES } from '../../text/titles.ts';

export function FeedPage() {
  return (
    <div className="page">
      <h1>{TITLES.feed}</h1>
      <EmptyState title="This page is under construction" />
    </div>
  );
}
