// One indicator, and why it is one.

import { EmptyState } from '../../parts/empty-state.tsx';
import { TITLES } from '../../text/titles.ts';

export function IndicatorPage() {
  return (
    <div className="page">
      <h1>{TITLES.indicator}</h1>
      <EmptyState title="This page is under construction" />
    </div>
  );
}
