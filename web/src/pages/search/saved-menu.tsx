// The menu of saved searches.

import { type FormEvent, useId, useState } from 'react';
import { visibleText } from '../../parts/hostile-text.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { SEARCH } from '../../text/search.ts';
import { forget, readSaved, save } from './saved-searches.ts';

interface Props {
  /** The query of the address. */
  readonly search: string;
  readonly onOpen: (search: string) => void;
}

export function SavedMenu({ search, onOpen }: Props) {
  const id = useId();
  const [saved, setSaved] = useState(readSaved);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    if (name !== '') setSaved(save(saved, { name, search }));
    event.currentTarget.reset();
  };
  return (
    <div>
      <button type="button" className="button" popoverTarget={id}>
        {SEARCH.saved}
      </button>
      <div id={id} popover="auto" className="menu-list">
        {saved.length === 0 && <p className="soft">{SEARCH.savedNone}</p>}
        <ul>
          {saved.map((entry) => (
            <li key={entry.name} className="menu-row">
              <button
                type="button"
                className="menu-item"
                popoverTarget={id}
                popoverTargetAction="hide"
                onClick={() => onOpen(entry.search)}
              >
                <HostileText text={entry.name} limit={60} brief />
              </button>
              <button
                type="button"
                className="button plain small"
                aria-label={SEARCH.deleteSaved(visibleText(entry.name))}
                onClick={() => setSaved(forget(saved, entry.name))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
        <form className="menu-form" onSubmit={submit}>
          <input
            name="name"
            aria-label={SEARCH.saveName}
            placeholder={SEARCH.saveName}
            maxLength={80}
            required
          />
          <button type="submit" className="button" disabled={search === ''}>
            {SEARCH.save}
          </button>
        </form>
        {saved.length > 0 && <p className="soft">{SEARCH.savedHint}</p>}
      </div>
    </div>
  );
}
