// The query of the address as it stands there. The hook of wouter decodes it, so that `&` in a value would part it.

import { useSearch } from 'wouter/use-browser-location';

/** Without the `?`. */
export function useQueryString(): string {
  return useSearch().replace(/^\?/, '');
}
