// What waits for a human: enriched indicators that nobody has judged. One keyboard, no mouse needed.

import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { ThreatIndicator, TlpMarking } from '../../api/contract.ts';
import { useQueryString } from '../../app/query-string.ts';
import { useMay } from '../../app/session.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { PARTS } from '../../text/parts.ts';
import { QUEUE } from '../../text/queue.ts';
import { TITLES } from '../../text/titles.ts';
import { DisputeDialog } from './dispute-dialog.tsx';
import { Preview } from './preview.tsx';
import { AGES, ORDERS, type QueueQuery, queryOf, searchOf } from './queue-query.ts';
import { QueueTable } from './queue-table.tsx';
import { useQueue } from './use-queue.ts';
import { useQueueKeys } from './use-queue-keys.ts';
import './queue.css';

export function QueuePage() {
  const search = useQueryString();
  const [, navigate] = useLocation();
  const query = queryOf(search);
  const may = useMay('indicators:verify');
  const { loaded, rows, selected, select, batchOf, undo, confirm, dispute, reload } = useQueue(query);
  const [chosenId, choose] = useState<string>();
  const [disputing, setDisputing] = useState<readonly ThreatIndicator[]>();
  const focusNext = useFocusAfterAct(rows);

  /** The selected rows if the row is one of them, else the row. */
  const chosenBy = (id: string) =>
    rows.filter((one) => (selected.has(id) ? selected.has(one.id) : one.id === id));
  const toggle = (id: string) =>
    select((before) =>
      before.has(id) ? new Set([...before].filter((other) => other !== id)) : new Set([...before, id]),
    );
  const confirmAll = (chosen: readonly ThreatIndicator[]) => {
    if (!may || chosen.length === 0) return;
    focusNext(chosen);
    confirm(chosen);
  };
  const askDispute = (chosen: readonly ThreatIndicator[]) => {
    if (may && chosen.length > 0) setDisputing(chosen);
  };
  useQueueKeys({
    v: (id) => confirmAll(chosenBy(id)),
    d: (id) => askDispute(chosenBy(id)),
    x: toggle,
    u: () => void undo(),
  });

  const marked = rows.filter(({ id }) => selected.has(id));
  const { indicators = [], pageInfo } = loaded.data ?? {};
  const total = pageInfo?.totalCount;
  const left = total === undefined ? undefined : Number(total) - (indicators.length - rows.length);
  return (
    <div className="page">
      <header className="page-head">
        <h1>{TITLES.queue}</h1>
        <Controls
          query={query}
          onChange={(next) => navigate(`/queue${searchOf(next)}`, { replace: true })}
          onReload={reload}
        />
      </header>
      <p className="soft">{may ? QUEUE.hint : QUEUE.mayNot}</p>
      {loaded.isPending && <p className="waiting">{PARTS.loading}</p>}
      {loaded.isError && <ErrorState error={loaded.error} onRetry={reload} />}
      {loaded.isSuccess && rows.length === 0 && (
        <EmptyState title={QUEUE.emptyTitle}>
          <p>{QUEUE.empty}</p>
          <button type="button" className="button" onClick={reload}>
            {QUEUE.reload}
          </button>
        </EmptyState>
      )}
      {rows.length > 0 && (
        <div className="queue-columns">
          <div className="queue-main">
            <div className="queue-bar">
              <span className="soft">{QUEUE.shown(rows.length, left)}</span>
              {marked.length > 0 && may && (
                <>
                  <button type="button" className="button small" onClick={() => confirmAll(marked)}>
                    {QUEUE.confirmMany(marked.length)}
                  </button>
                  <button type="button" className="button small" onClick={() => askDispute(marked)}>
                    {QUEUE.disputeMany(marked.length)}
                  </button>
                  <button type="button" className="button plain small" onClick={() => select(new Set())}>
                    {QUEUE.unselect}
                  </button>
                </>
              )}
            </div>
            <QueueTable
              rows={rows}
              selected={selected}
              may={may}
              onChoose={choose}
              onSelect={toggle}
              onConfirm={(one) => confirmAll([one])}
              onDispute={(one) => askDispute([one])}
            />
          </div>
          <Preview
            chosen={rows.find(({ id }) => id === chosenId)}
            rows={rows}
            onAlike={(ids) => select(new Set(ids))}
          />
        </div>
      )}
      {disputing !== undefined && (
        <DisputeDialog
          what={batchOf(disputing).what}
          tlp={mostRestrictive(disputing)}
          onClose={() => setDisputing(undefined)}
          onSend={(reason, tlp) => {
            setDisputing(undefined);
            focusNext(disputing);
            void dispute(disputing, reason, tlp);
          }}
        />
      )}
    </div>
  );
}

/** After an act the row behind the judged ones has the focus, so that one key after the other is enough. */
function useFocusAfterAct(rows: readonly ThreatIndicator[]): (judged: readonly ThreatIndicator[]) => void {
  const next = useRef<string>(undefined);
  useEffect(() => {
    if (next.current === undefined || !rows.some(({ id }) => id === next.current)) return;
    document.querySelector<HTMLElement>(`[data-row="${CSS.escape(next.current)}"]`)?.focus();
    next.current = undefined;
  }, [rows]);
  return (judged) => {
    const ids = new Set(judged.map(({ id }) => id));
    const last = rows.findLastIndex(({ id }) => ids.has(id));
    const left = rows.filter(({ id }) => !ids.has(id));
    const behind = rows.slice(last + 1).find(({ id }) => !ids.has(id));
    next.current = (behind ?? left.at(-1))?.id;
  };
}

const MARKINGS: readonly TlpMarking[] = [
  'TLP_MARKING_CLEAR',
  'TLP_MARKING_GREEN',
  'TLP_MARKING_AMBER',
  'TLP_MARKING_AMBER_STRICT',
  'TLP_MARKING_RED',
];

function mostRestrictive(chosen: readonly ThreatIndicator[]): TlpMarking {
  return MARKINGS[Math.max(0, ...chosen.map(({ tlp }) => MARKINGS.indexOf(tlp)))] ?? 'TLP_MARKING_RED';
}

interface ControlsProps {
  readonly query: QueueQuery;
  readonly onChange: (query: QueueQuery) => void;
  readonly onReload: () => void;
}

function Controls({ query, onChange, onReload }: ControlsProps) {
  return (
    <div className="queue-controls">
      <label>
        {QUEUE.order}{' '}
        <select
          value={query.order}
          onChange={({ target }) =>
            onChange({ ...query, order: ORDERS.find((one) => one === target.value) ?? query.order })
          }
        >
          {ORDERS.map((order) => (
            <option key={order} value={order}>
              {QUEUE.orders[order]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {QUEUE.age}{' '}
        <select
          value={query.age}
          onChange={({ target }) =>
            onChange({ ...query, age: AGES.find((one) => one === target.value) ?? query.age })
          }
        >
          {AGES.map((age) => (
            <option key={age} value={age}>
              {QUEUE.ages[age]}
            </option>
          ))}
        </select>
      </label>
      <label className="queue-stale">
        <input
          type="checkbox"
          checked={query.stale}
          onChange={({ target }) => onChange({ ...query, stale: target.checked })}
        />
        {QUEUE.stale}
      </label>
      <button type="button" className="button" onClick={onReload}>
        {QUEUE.reload}
      </button>
    </div>
  );
}
