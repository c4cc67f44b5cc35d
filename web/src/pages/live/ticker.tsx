// The list of indicators as they come. It can be paused, and tells screen readers how many came.

import { Link } from 'wouter';
import type { ThreatIndicator } from '../../api/contract.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { isExpired } from '../../parts/relative-time.ts';
import { Score } from '../../parts/score.tsx';
import { Severity } from '../../parts/severity.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Value } from '../../parts/value.tsx';
import { Verdict, verdictOf } from '../../parts/verdict.tsx';
import { LIVE } from '../../text/live.ts';
import { PROTOCOL_WORDS } from '../../text/words.ts';
import type { TickerState } from './use-ticker.ts';

/** An indicator that is this young at its last change is a new one. */
const NEW_MS = 60_000;

const COLUMNS: readonly Column<ThreatIndicator>[] = [
  {
    key: 'value',
    title: LIVE.columns.value,
    cell: ({ id, type, value }) => (
      <Link href={`/indicators/${id}`} data-row="">
        <Value type={type} value={value} limit={48} brief />
      </Link>
    ),
  },
  {
    key: 'news',
    title: LIVE.columns.news,
    cell: (one) => isNew(one) && <b className="live-new">{LIVE.isNew}</b>,
  },
  { key: 'seen', title: LIVE.columns.seen, cell: ({ lastSeen }) => <Time at={lastSeen} /> },
  {
    key: 'protocol',
    title: LIVE.columns.protocol,
    cell: ({ protocol }) => (protocol.endsWith('UNSPECIFIED') ? '' : PROTOCOL_WORDS[protocol]),
  },
  { key: 'severity', title: LIVE.columns.severity, cell: ({ severity }) => <Severity severity={severity} /> },
  {
    key: 'verdict',
    title: LIVE.columns.verdict,
    cell: (one) => <Verdict verdict={verdictOf(one)} expired={isExpired(one.validUntil, Date.now())} />,
  },
  {
    key: 'score',
    title: LIVE.columns.score,
    cell: ({ confidenceScore, state }) => <Score score={confidenceScore} state={state} />,
  },
  { key: 'country', title: LIVE.columns.country, cell: ({ enrichment }) => enrichment?.geo?.countryCode },
];

export function Ticker({ shown, waiting, announced, hasGap, isReady, onPause }: TickerState) {
  const isPaused = waiting !== undefined;
  return (
    <section className="live-ticker" aria-labelledby="live-ticker">
      <div className="live-head">
        <h2 id="live-ticker">{LIVE.ticker}</h2>
        <button type="button" className="button" onClick={() => onPause(!isPaused)}>
          {isPaused ? (waiting === 0 ? LIVE.resume : LIVE.resumeWith(waiting)) : LIVE.pause}
        </button>
      </div>
      <p className="soft">{isPaused ? LIVE.paused : LIVE.tickerHint}</p>
      {hasGap && <p className="live-gap">{LIVE.gap}</p>}
      <p className="hidden-text" role="status">
        {announced > 0 && LIVE.arrived(announced)}
      </p>
      {shown.length > 0 && (
        <div className="live-rows">
          <Table caption={LIVE.ticker} columns={COLUMNS} rows={shown} rowKey={({ id }) => id} />
        </div>
      )}
      {shown.length === 0 && isReady && (
        <EmptyState title={LIVE.emptyTicker}>
          <p>{LIVE.emptyTickerHint}</p>
          <Link href="/start" className="button">
            {LIVE.toStart}
          </Link>
        </EmptyState>
      )}
    </section>
  );
}

function isNew({ createdAt, updatedAt }: ThreatIndicator): boolean {
  const age = Date.parse(updatedAt) - Date.parse(createdAt);
  return age < NEW_MS && Date.now() - Date.parse(createdAt) < NEW_MS;
}
