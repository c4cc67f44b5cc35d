// v confirms the chosen row, d disputes it, x selects it, u takes the last act back.

import { useEffect, useRef } from 'react';
import { isTyping } from '../../parts/typing.ts';

export interface QueueKeys {
  readonly v: (id: string) => void;
  readonly d: (id: string) => void;
  readonly x: (id: string) => void;
  readonly u: () => void;
}

/** The id of the row that has the focus. */
function chosenRow(): string | undefined {
  const row = document.activeElement?.closest('tr');
  return row?.querySelector<HTMLElement>('[data-row]')?.dataset.row;
}

export function useQueueKeys(keys: QueueKeys): void {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Another handler took it: `g u` goes to the page of usage.
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return;
      if (event.key === 'u') current.current.u();
      else if (event.key === 'v' || event.key === 'd' || event.key === 'x') {
        const id = chosenRow();
        if (id === undefined) return;
        current.current[event.key](id);
      } else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
