// The query of the page: it lives in the URL. Typing replaces the address a moment later; a choice is a step back in the
// history.

import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useQueryString } from '../../app/query-string.ts';
import { readQuery, type SearchQuery, writeQuery } from './search-query.ts';

/** Browsers refuse more than some hundred changes of the address in half a minute. */
const ADDRESS_REST_MS = 300;

export function useSearchQuery(): readonly [SearchQuery, (next: SearchQuery, typing?: boolean) => void] {
  const search = useQueryString();
  const [, navigate] = useLocation();
  const [query, setQuery] = useState(() => readQuery(search));
  const written = useRef(search);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    if (search === written.current) return;
    // Somebody went back, or followed a link.
    written.current = search;
    setQuery(readQuery(search));
  }, [search]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const change = useCallback(
    (next: SearchQuery, typing = false) => {
      setQuery(next);
      clearTimeout(timer.current);
      const write = () => {
        const words = writeQuery(next);
        if (words === written.current) return;
        written.current = words;
        navigate(words === '' ? '/' : `/?${words}`, { replace: typing });
      };
      if (typing) timer.current = setTimeout(write, ADDRESS_REST_MS);
      else write();
    },
    [navigate],
  );
  return [query, change];
}
