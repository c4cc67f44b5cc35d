// What is known of each value of a pasted text.

import { useRef, useState } from 'react';
import { Link } from 'wouter';
import type { LookupIndicatorsResponse, LookupResult, ThreatIndicator } from '../../api/contract.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { isExpired } from '../../parts/relative-time.ts';
import { useRowKeys } from '../../parts/row-keys.ts';
import { useRowWindow } from '../../parts/row-window.ts';
import { Score } from '../../parts/score.tsx';
import { Severity } from '../../parts/severity.tsx';
import { Time } from '../../parts/time.tsx';
import { Value } from '../../parts/value.tsx';
import { Verdict, verdictOf } from '../../parts/verdict.tsx';
import { COLUMN_TITLES } from '../../text/columns.ts';
import { LOOKUP } from '../../text/search.ts';
import { TYPE_WORDS } from '../../text/words.ts';
import { Spacer } from './spacer.tsx';

const ROW = 34;

export function LookupResultTable({ answer }: { readonly answer: LookupIndicatorsResponse }) {
  const frame = useRef<HTMLElement>(null);
  const [onlyKnown, setOnlyKnown] = useState(false);
  const indicators = new Map(answer.indicators.map((indicator) => [indicator.id, indicator]));
  const known = answer.results.filter(({ matches }) => matches.length > 0);
  const results = onlyKnown ? known : answer.results;
  const { first, end, before, after } = useRowWindow(frame, results.length, ROW);
  useRowKeys(frame);
  return (
    <>
      <div className="result-head">
        <p aria-live="polite">
          <b>{LOOKUP.summary(known.length, answer.results.length)}</b>
        </p>
        <label className="lookup-known">
          <input type="checkbox" checked={onlyKnown} onChange={() => setOnlyKnown(!onlyKnown)} />{' '}
          {LOOKUP.onlyKnown}
        </label>
      </div>
      <section ref={frame} className="result" aria-label={LOOKUP.table}>
        <table className="result-table lookup-table" aria-rowcount={results.length + 1}>
          <caption className="hidden-text">{LOOKUP.table}</caption>
          <thead>
            <tr>
              <th scope="col">{LOOKUP.given}</th>
              <th scope="col">{COLUMN_TITLES.type}</th>
              <th scope="col">{LOOKUP.match}</th>
              <th scope="col">{LOOKUP.indicator}</th>
              <th scope="col">{COLUMN_TITLES.verdict}</th>
              <th scope="col">{COLUMN_TITLES.severity}</th>
              <th scope="col">{COLUMN_TITLES.score}</th>
              <th scope="col">{COLUMN_TITLES.lastSeen}</th>
            </tr>
          </thead>
          <tbody>
            <Spacer height={before} columns={8} />
            {results.slice(first, end).map((result, at) => (
              <ResultRow key={result.value} index={first + at} result={result} indicators={indicators} />
            ))}
            <Spacer height={after} columns={8} />
          </tbody>
        </table>
      </section>
    </>
  );
}

interface RowProps {
  readonly index: number;
  readonly result: LookupResult;
  readonly indicators: ReadonlyMap<string, ThreatIndicator>;
}

function ResultRow({ index, result, indicators }: RowProps) {
  const [match] = result.matches;
  const indicator = match === undefined ? undefined : indicators.get(match.indicatorId);
  const others = result.matches.length - 1;
  return (
    <tr aria-rowindex={index + 2} style={{ height: ROW }}>
      <th scope="row">
        <Value type={result.type} value={result.value} limit={100} brief />
      </th>
      <td>{result.reason === '' ? TYPE_WORDS[result.type] : ''}</td>
      {match === undefined ? (
        <td colSpan={6} className="soft">
          {result.reason === '' ? (
            LOOKUP.unknown
          ) : (
            <>
              {LOOKUP.unreadable}: <HostileText text={result.description} limit={120} brief />
            </>
          )}
        </td>
      ) : (
        <>
          <td>{LOOKUP.kinds[match.kind] ?? match.kind}</td>
          <td>
            <Link href={`/indicators/${match.indicatorId}`} data-row className="result-value">
              <Value type={match.type} value={match.value} limit={100} brief />
            </Link>{' '}
            {others > 0 && <span className="soft">{LOOKUP.more(others)}</span>}
          </td>
          <td>
            {indicator && (
              <Verdict verdict={verdictOf(indicator)} expired={isExpired(indicator.validUntil, Date.now())} />
            )}
          </td>
          <td>{indicator && <Severity severity={indicator.severity} />}</td>
          <td>{indicator && <Score score={indicator.confidenceScore} state={indicator.state} />}</td>
          <td>{indicator && <Time at={indicator.lastSeen} />}</td>
        </>
      )}
    </tr>
  );
}
