// The menu of columns.

import { useId } from 'react';
import { SEARCH } from '../../text/search.ts';
import { COLUMNS } from './columns.tsx';

interface Props {
  readonly chosen: readonly string[];
  readonly onChange: (keys: readonly string[]) => void;
}

export function ColumnMenu({ chosen, onChange }: Props) {
  const id = useId();
  const keys = COLUMNS.map(({ key }) => key);
  const toggle = (key: string) =>
    onChange(keys.filter((other) => (other === key) !== chosen.includes(other)));
  return (
    <div className="menu-of-columns">
      <button type="button" className="button" popoverTarget={id}>
        {SEARCH.columns}
      </button>
      <fieldset id={id} popover="auto" className="menu-list menu-columns" aria-label={SEARCH.columns}>
        {COLUMNS.map(({ key, title }) => (
          <label key={key} className="menu-item">
            <input type="checkbox" checked={chosen.includes(key)} onChange={() => toggle(key)} /> {title}
          </label>
        ))}
      </fieldset>
    </div>
  );
}
