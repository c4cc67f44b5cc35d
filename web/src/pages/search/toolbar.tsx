// What can be done with a result: order, columns, saved searches, curl, CSV.

import { useId, useRef, useState } from 'react';
import type { SearchIndicatorsRequest } from '../../api/contract.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { showToast } from '../../parts/toasts.ts';
import { SEARCH } from '../../text/search.ts';
import { ColumnMenu } from './column-menu.tsx';
import { USUAL_COLUMNS } from './columns.tsx';
import { curlOf } from './curl.ts';
import { SavedMenu } from './saved-menu.tsx';
import { ORDERS, type OrderKey, readQuery, type SearchQuery, writeQuery } from './search-query.ts';

interface Props {
  readonly query: SearchQuery;
  readonly request: SearchIndicatorsRequest;
  readonly onChange: (next: SearchQuery) => void;
}

export function Toolbar({ query, request, onChange }: Props) {
  const id = useId();
  return (
    <div className="tools">
      <label className="hidden-text" htmlFor={id}>
        {SEARCH.order}
      </label>
      <select
        id={id}
        value={query.order}
        onChange={(event) => onChange({ ...query, order: event.target.value as OrderKey })}
      >
        {Object.keys(ORDERS).map((key) => (
          <option key={key} value={key}>
            {SEARCH.orders[key as OrderKey]}
          </option>
        ))}
      </select>
      <ColumnMenu
        chosen={query.columns ?? USUAL_COLUMNS}
        onChange={(columns) => onChange({ ...query, columns: isUsual(columns) ? undefined : columns })}
      />
      <SavedMenu search={writeQuery(query)} onOpen={(search) => onChange(readQuery(search))} />
      <CopyButton
        className="button"
        text={() => curlOf(location.origin, '/v1/indicators/search', request)}
        label={SEARCH.curl}
      >
        curl
      </CopyButton>
      <CsvButton request={request} />
    </div>
  );
}

function CsvButton({ request }: { readonly request: SearchIndicatorsRequest }) {
  const [rows, setRows] = useState<number>();
  const running = useRef<AbortController>(undefined);
  const start = async () => {
    running.current = new AbortController();
    setRows(0);
    try {
      const { downloadCsv } = await import('./download.ts');
      const written = await downloadCsv(request, setRows, running.current.signal);
      showToast(
        written.isCut ? SEARCH.csvCut(written.rows) : SEARCH.csvDone(written.rows),
        written.isCut ? 'bad' : 'good',
      );
    } catch (error) {
      if (!running.current.signal.aborted) showToast(`${SEARCH.csvFailed} ${String(error)}`, 'bad');
    } finally {
      setRows(undefined);
    }
  };
  return (
    <button
      type="button"
      className="button"
      title={SEARCH.stix}
      onClick={() => (rows === undefined ? void start() : running.current?.abort())}
    >
      {rows === undefined ? SEARCH.csv : SEARCH.csvRunning(rows)}
    </button>
  );
}

/** A table without columns would say nothing. */
function isUsual(columns: readonly string[]): boolean {
  return columns.length === 0 || columns.join() === USUAL_COLUMNS.join();
}
