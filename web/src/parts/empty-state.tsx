// Nothing to show: why, and what to do next.

import type { ReactNode } from 'react';
import './states.css';

interface Props {
  readonly title: string;
  readonly children?: ReactNode;
}

export function EmptyState({ title, children }: Props) {
  return (
    <div className="state">
      <h2>{title}</h2>
      {children && <div className="state-body">{children}</div>}
    </div>
  );
}
