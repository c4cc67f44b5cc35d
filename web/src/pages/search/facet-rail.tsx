// The conditions beside the result: sliders, and facets with counts.

import { useId, useState } from 'react';
import type { AggregateIndicatorsResponse } from '../../api/contract.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { SEARCH } from '../../text/search.ts';
import { FACET_WORDS } from '../../text/words.ts';
import { FACETS, type FacetRule, keyOf, keysOf, memberOf } from './facets.ts';
import { Histogram } from './histogram.tsx';
import { PERIODS, type SearchQuery, toggle } from './search-query.ts';

interface Props {
  readonly query: SearchQuery;
  readonly onChange: (next: SearchQuery, typing?: boolean) => void;
  readonly counts: AggregateIndicatorsResponse | undefined;
  /** Names that the service gives only with indicators: sources, networks. */
  readonly names: ReadonlyMap<string, string>;
  /** Counts more values of each facet. */
  readonly onMore: () => void;
}

/** Open at first. The others are a click away. */
const OPEN: ReadonlySet<string> = new Set(['verdict', 'severity', 'type', 'category', 'protocol', 'intent']);

export function FacetRail({ query, onChange, counts, names, onMore }: Props) {
  return (
    <div className="rail">
      <ScoreSlider query={query} onChange={onChange} />
      <TimeSlider query={query} onChange={onChange} />
      {counts !== undefined && <Histogram buckets={counts.histogram} />}
      {FACETS.map((rule) => (
        <FacetGroup
          key={rule.name}
          rule={rule}
          chosen={query.chosen[rule.name] ?? []}
          counts={counts?.facets.find(({ facet }) => facet === rule.facet)}
          names={names}
          onToggle={(key) => onChange(toggle(query, rule.name, key))}
          onMore={onMore}
        />
      ))}
      {counts?.atLeast && <p className="soft">{SEARCH.atLeast}</p>}
    </div>
  );
}

function ScoreSlider({ query, onChange }: Pick<Props, 'query' | 'onChange'>) {
  const id = useId();
  return (
    <div className="rail-slider">
      <label htmlFor={id}>{SEARCH.score}</label>
      <output htmlFor={id}>{SEARCH.scoreAtLeast(query.score)}</output>
      <input
        id={id}
        type="range"
        min={0}
        max={100}
        step={5}
        value={query.score}
        aria-valuetext={SEARCH.scoreAtLeast(query.score)}
        onChange={(event) => onChange({ ...query, score: Number(event.target.value) }, true)}
      />
    </div>
  );
}

function TimeSlider({ query, onChange }: Pick<Props, 'query' | 'onChange'>) {
  const id = useId();
  const at = Math.max(
    0,
    PERIODS.findIndex(([key]) => key === query.seen),
  );
  return (
    <div className="rail-slider">
      <label htmlFor={id}>{SEARCH.seen}</label>
      <output htmlFor={id}>{SEARCH.periods[query.seen]}</output>
      <input
        id={id}
        type="range"
        min={0}
        max={PERIODS.length - 1}
        value={at}
        aria-valuetext={SEARCH.periods[query.seen]}
        onChange={(event) =>
          onChange({ ...query, seen: PERIODS[Number(event.target.value)]?.[0] ?? 'any' }, true)
        }
      />
    </div>
  );
}

const RANKED: ReadonlySet<string> = new Set(['severity', 'intent', 'state', 'tlp']);

interface GroupProps {
  readonly rule: FacetRule;
  readonly chosen: readonly string[];
  readonly counts: AggregateIndicatorsResponse['facets'][number] | undefined;
  readonly names: ReadonlyMap<string, string>;
  readonly onToggle: (key: string) => void;
  readonly onMore: () => void;
}

function FacetGroup({ rule, chosen, counts, names, onToggle, onMore }: GroupProps) {
  const [open, setOpen] = useState(OPEN.has(rule.name));
  const found = new Map(
    (counts?.values ?? [])
      .filter(({ value }) => !value.endsWith('UNSPECIFIED'))
      .map(({ value, count }) => [keyOf(rule, value), Number(count)]),
  );
  // With a choice, the counts are of what was chosen. The others can still be added.
  const others = chosen.length > 0 && rule.name !== 'severity' ? keysOf(rule) : [];
  const keys = inOrder(rule, [...new Set([...found.keys(), ...chosen, ...others])]);
  if (keys.length === 0) return null;
  const omitted = counts?.omittedValueCount ?? 0;
  return (
    <details
      className="rail-group"
      open={open || chosen.length > 0}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{FACET_WORDS[rule.facet]}</summary>
      <ul>
        {keys.map((key) => (
          <li key={key}>
            <Choice
              rule={rule}
              name={key}
              label={labelOf(rule, key, names)}
              count={found.get(key)}
              checked={chosen.includes(key)}
              onToggle={() => onToggle(key)}
            />
          </li>
        ))}
        {omitted > 0 && (
          <li>
            <button type="button" className="link" onClick={onMore}>
              {SEARCH.moreValues(omitted)}
            </button>
          </li>
        )}
      </ul>
    </details>
  );
}

/** What has an order of its own stands in it, the worst first. Everything else stands by its counts. */
function inOrder(rule: FacetRule, keys: readonly string[]): readonly string[] {
  if (!RANKED.has(rule.name)) return keys;
  const ranks = keysOf(rule);
  return keys.toSorted((a, b) => ranks.indexOf(b) - ranks.indexOf(a));
}

interface ChoiceProps {
  readonly rule: FacetRule;
  readonly name: string;
  readonly label: string;
  readonly count: number | undefined;
  readonly checked: boolean;
  readonly onToggle: () => void;
}

function Choice({ rule, label, count, checked, onToggle }: ChoiceProps) {
  const text = (
    <>
      <span className="rail-label">
        <HostileText text={label} limit={60} brief />
        {rule.name === 'severity' && checked && <span className="soft"> {SEARCH.andHigher}</span>}
      </span>
      <span className="rail-count">{count?.toLocaleString('en') ?? '–'}</span>
    </>
  );
  if (rule.member === undefined) return <span className="rail-choice">{text}</span>;
  return (
    <label className="rail-choice">
      <input type="checkbox" checked={checked} onChange={onToggle} />
      {text}
    </label>
  );
}

const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** A key in words. */
export function labelOf(rule: FacetRule, key: string, names: ReadonlyMap<string, string>): string {
  if (rule.words !== undefined) return rule.words[memberOf(rule, key)] ?? key;
  if (rule.name === 'country' && /^[A-Z]{2}$/.test(key)) return COUNTRIES.of(key) ?? key;
  const name = names.get(`${rule.name} ${key}`);
  if (rule.name === 'asn') return name === undefined ? `AS${key}` : `AS${key} ${name}`;
  return name ?? key;
}
