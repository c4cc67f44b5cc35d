// j and k go down and up through the rows of a table, Enter opens the row.

import { type RefObject, useEffect } from 'react';
import { isTyping } from './typing.ts';

/** @param table the element that contains the links of the rows, each with the attribute `data-row`. */
export function useRowKeys(table: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key !== 'j' && event.key !== 'k') return;
      if (document.querySelector('dialog[open]') !== null) return;
      const rows = [...(table.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
      const at = rows.indexOf(document.activeElement as HTMLElement);
      const next = at === -1 ? rows[0] : rows[at + (event.key === 'j' ? 1 : -1)];
      if (next === undefined) return;
      event.preventDefault();
      next.focus();
      next.scrollIntoView({ block: 'nearest' });
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [table]);
}
