// A part of the page with its heading.

import { type ReactNode, useId } from 'react';

interface Props {
  readonly title: string;
  readonly children: ReactNode;
  /** Beside the heading. */
  readonly aside?: ReactNode;
}

export function Panel({ title, children, aside }: Props) {
  const heading = useId();
  return (
    <section className="panel indicator-panel" aria-labelledby={heading}>
      <header className="indicator-panel-head">
        <h2 id={heading}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}
