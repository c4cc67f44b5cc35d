// The values of a pasted text, looked up. Many of them are asked for only when the person says so: each is billed.

import { useState } from 'react';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { LOOKUP, SEARCH } from '../../text/search.ts';
import { LookupResultTable } from './lookup-result.tsx';
import { useLookup } from './use-results.ts';

const ASKS_FROM = 200;

export function LookupView({ values }: { readonly values: readonly string[] }) {
  const [agreed, setAgreed] = useState('');
  const key = values.join('\n');
  const mayAsk = values.length <= ASKS_FROM || agreed === key;
  const { data, error, refetch } = useLookup(values, mayAsk);
  if (!mayAsk) {
    return (
      <EmptyState title={LOOKUP.ask(values.length)}>
        <button type="button" className="button main" onClick={() => setAgreed(key)}>
          {LOOKUP.askButton}
        </button>
      </EmptyState>
    );
  }
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="waiting">{SEARCH.searching}</p>;
  return <LookupResultTable answer={data} />;
}
