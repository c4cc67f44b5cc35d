// One step of the list.

import type { ReactNode } from 'react';
import { START } from '../../text/start.ts';

interface Props {
  readonly title: string;
  readonly done: boolean;
  readonly children: ReactNode;
}

export function Step({ title, done, children }: Props) {
  return (
    <li className={done ? 'start-step start-done' : 'start-step'}>
      <h2>
        {title}
        {done && <span className="start-mark">{START.done}</span>}
      </h2>
      <div className="start-body">{children}</div>
    </li>
  );
}
