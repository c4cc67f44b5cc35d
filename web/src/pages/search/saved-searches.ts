// Searches that a person kept. They stay in this browser.

const KEY = 'tis-saved-searches';
const MOST = 50;

export interface SavedSearch {
  readonly name: string;
  /** The query of the address. */
  readonly search: string;
}

export function readSaved(): readonly SavedSearch[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isSaved).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** A search of the same name is replaced. The newest comes first. */
export function save(saved: readonly SavedSearch[], search: SavedSearch): readonly SavedSearch[] {
  return store([search, ...saved.filter(({ name }) => name !== search.name)].slice(0, MOST));
}

export function forget(saved: readonly SavedSearch[], name: string): readonly SavedSearch[] {
  return store(saved.filter((search) => search.name !== name));
}

function store(saved: readonly SavedSearch[]): readonly SavedSearch[] {
  localStorage.setItem(KEY, JSON.stringify(saved));
  return saved;
}

function isSaved(value: unknown): value is SavedSearch {
  const { name, search } = (value ?? {}) as Partial<SavedSearch>;
  return typeof name === 'string' && typeof search === 'string';
}
