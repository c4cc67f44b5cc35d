// The search: one box for everything, conditions beside the result, rows as one scrolls.

import { lazy, useState } from 'react';
import { ResultView } from './result-view.tsx';
import { SearchBox } from './search-box.tsx';
import { understand } from './understanding.ts';
import { useSearchQuery } from './use-search-query.ts';
import { useSettled } from './use-settled.ts';
import './search.css';

const LookupView = lazy(() => import('./lookup-view.tsx').then((file) => ({ default: file.LookupView })));

/** The pause after the last keystroke before the service is asked. */
const REST_MS = 60;

export function SearchPage() {
  const [query, change] = useSearchQuery();
  const [entered, setEntered] = useState('');
  const settled = useSettled(query.text, query.text === entered || query.text === '' ? 0 : REST_MS);
  const shown = understand(query.text, query.asText);
  const asked = settled === query.text ? shown : understand(settled, query.asText);
  return (
    <div className="search">
      <SearchBox
        text={query.text}
        asText={query.asText}
        understanding={shown}
        onText={(text) => change({ ...query, text, asText: false }, true)}
        onAsText={(asText) => change({ ...query, asText })}
        onEnter={() => setEntered(query.text)}
      />
      {asked.kind === 'values' ? (
        <LookupView values={asked.values} />
      ) : (
        <ResultView
          query={query}
          understanding={asked}
          text={asked.kind === 'value' ? asked.value : settled.trim()}
          entered={settled === entered}
          onChange={change}
        />
      )}
    </div>
  );
}
