// Whether the screen is too narrow for columns.

import { useSyncExternalStore } from 'react';

const NARROW = matchMedia('(width < 820px)');

export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => NARROW.matches);
}

function subscribe(listener: () => void): () => void {
  NARROW.addEventListener('change', listener);
  return () => NARROW.removeEventListener('change', listener);
}
