// What else answers for a single value: the domains above it, and the ranges around it.

import { Link } from 'wouter';
import { Value } from '../../parts/value.tsx';
import { LOOKUP } from '../../text/search.ts';
import type { Row } from './row.ts';
import { useLookup } from './use-results.ts';
import { useSettled } from './use-settled.ts';

/** Each value is a billed lookup: only what somebody has stopped typing. */
const REST_MS = 600;

export function AlsoKnown({ value, rows }: { readonly value: string; readonly rows: readonly Row[] }) {
  const { data } = useLookup([useSettled(value, REST_MS)], true);
  const [result] = data?.results ?? [];
  const shown = new Set(rows.slice(0, 10).map(({ id }) => id));
  const others = (result?.matches ?? []).filter(({ indicatorId }) => !shown.has(indicatorId));
  if (others.length === 0) return null;
  return (
    <ul className="also-known">
      <li>{LOOKUP.also}</li>
      {others.map(({ kind, indicatorId, type, value: other }) => (
        <li key={indicatorId}>
          <Link href={`/indicators/${indicatorId}`}>
            <Value type={type} value={other} limit={80} brief />
          </Link>{' '}
          <span className="soft">({LOOKUP.kinds[kind] ?? kind})</span>
        </li>
      ))}
    </ul>
  );
}
