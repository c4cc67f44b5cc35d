// The rows of a result. Only those on the screen are in the document; more pages are loaded as one scrolls.

import { useEffect, useLayoutEffect, useRef } from 'react';
import { useRowKeys } from '../../parts/row-keys.ts';
import { useRowWindow } from '../../parts/row-window.ts';
import { COLUMN_TITLES } from '../../text/columns.ts';
import { SEARCH } from '../../text/search.ts';
import type { RowColumn } from './columns.tsx';
import { ResultRow } from './result-row.tsx';
import type { Row } from './row.ts';
import { Spacer } from './spacer.tsx';
import { useNarrow } from './use-narrow.ts';

const ROW = 34;
/** Two lines: the value, and what matters most about it. */
const NARROW_ROW = 58;
/** Rows before the end at which the next page is asked for. */
const AHEAD = 60;

interface Props {
  readonly rows: readonly Row[];
  readonly columns: readonly RowColumn[];
  /** Names the result, for the place in it after coming back. */
  readonly place: string;
  /** Rows of the whole result, if known. */
  readonly total: number | undefined;
  readonly onEnd: () => void;
  /** What stands below the last row. */
  readonly foot: string;
  readonly stale: boolean;
}

const NONE: readonly RowColumn[] = [];

/** Where the reader was in which result. */
let last = { place: '', top: 0 };

export function ResultTable({ rows, columns, place, total, onEnd, foot, stale }: Props) {
  const frame = useRef<HTMLElement>(null);
  const narrow = useNarrow();
  const size = narrow ? NARROW_ROW : ROW;
  const { first, end, before, after } = useRowWindow(
    frame,
    rows.length,
    size,
    last.place === place ? last.top : 0,
  );
  useRowKeys(frame);
  // Another result begins at its top.
  useLayoutEffect(() => {
    frame.current?.scrollTo({ top: last.place === place ? last.top : 0 });
    last = { place, top: frame.current?.scrollTop ?? 0 };
  }, [place]);

  const nearEnd = end >= rows.length - AHEAD;
  useEffect(() => {
    if (nearEnd) onEnd();
  }, [nearEnd, onEnd]);

  const shown = narrow ? NONE : columns;
  const width = shown.reduce((all, column) => all + column.width, 0);
  return (
    <section
      ref={frame}
      className={stale ? 'result result-stale' : 'result'}
      aria-label={SEARCH.table}
      aria-busy={stale}
      onScroll={() => {
        last = { place, top: frame.current?.scrollTop ?? 0 };
      }}
    >
      <table
        className="result-table"
        aria-rowcount={total ?? -1}
        style={{ minWidth: narrow ? undefined : width + 204 }}
      >
        <caption className="hidden-text">{SEARCH.table}</caption>
        <colgroup>
          <col />
          {shown.map(({ key, width: pixels }) => (
            <col key={key} style={{ width: pixels }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th scope="col">{COLUMN_TITLES.value}</th>
            {shown.map(({ key, title }) => (
              <th key={key} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={before} columns={shown.length + 1} />
          {rows.slice(first, end).map((row, at) => (
            <ResultRow key={row.id} row={row} index={first + at} columns={shown} height={size} />
          ))}
          <Spacer height={after} columns={shown.length + 1} />
        </tbody>
      </table>
      <p className="result-foot">{foot}</p>
    </section>
  );
}
