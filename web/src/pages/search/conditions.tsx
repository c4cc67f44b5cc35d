// The conditions in force, each with a way to remove it.

import { visibleText } from '../../parts/hostile-text.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { SEARCH } from '../../text/search.ts';
import { FACET_WORDS } from '../../text/words.ts';
import { labelOf } from './facet-rail.tsx';
import { FACETS } from './facets.ts';
import { countConditions, type SearchQuery, toggle } from './search-query.ts';

interface Props {
  readonly query: SearchQuery;
  readonly names: ReadonlyMap<string, string>;
  readonly onChange: (next: SearchQuery) => void;
}

export function Conditions({ query, names, onChange }: Props) {
  if (countConditions(query) === 0) return null;
  const chips = FACETS.flatMap((rule) =>
    (query.chosen[rule.name] ?? []).map((key) => ({
      key: `${rule.name} ${key}`,
      text: `${FACET_WORDS[rule.facet]}: ${labelOf(rule, key, names)}${rule.name === 'severity' ? ` ${SEARCH.andHigher}` : ''}`,
      without: toggle(query, rule.name, key),
    })),
  );
  if (query.score > 0) {
    const text = `${SEARCH.score}: ${SEARCH.scoreAtLeast(query.score)}`;
    chips.push({ key: 'score', text, without: { ...query, score: 0 } });
  }
  if (query.seen !== 'any') {
    const text = `${SEARCH.seen} ${SEARCH.periods[query.seen]}`;
    chips.push({ key: 'seen', text, without: { ...query, seen: 'any' } });
  }
  return (
    <ul className="conditions">
      {chips.map(({ key, text, without }) => (
        <li key={key}>
          <button
            type="button"
            className="condition"
            aria-label={SEARCH.remove(visibleText(text).slice(0, 200))}
            onClick={() => onChange(without)}
          >
            <HostileText text={text} limit={60} brief /> <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          className="link"
          onClick={() => onChange({ ...query, chosen: {}, score: 0, seen: 'any' })}
        >
          {SEARCH.clearAll}
        </button>
      </li>
    </ul>
  );
}
