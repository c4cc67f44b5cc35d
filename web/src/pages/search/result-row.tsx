// One row of the result. It is drawn once: scrolling draws only the rows that come in.

import { memo } from 'react';
import { Link } from 'wouter';
import { Score } from '../../parts/score.tsx';
import { Severity } from '../../parts/severity.tsx';
import { Time } from '../../parts/time.tsx';
import { Value } from '../../parts/value.tsx';
import { VERDICT_WORDS } from '../../text/words.ts';
import type { RowColumn } from './columns.tsx';
import type { Row } from './row.ts';

interface Props {
  readonly row: Row;
  /** In the whole result, from 0. */
  readonly index: number;
  /** None on a narrow screen: what matters most then stands below the value. */
  readonly columns: readonly RowColumn[];
  /** Pixels. */
  readonly height: number;
}

export const ResultRow = memo(function ResultRow({ row, index, columns, height }: Props) {
  return (
    <tr aria-rowindex={index + 2} style={{ height }}>
      <th scope="row">
        <Link href={`/indicators/${row.id}`} data-row className="result-value">
          <Value type={row.type} value={row.value} limit={120} brief />
        </Link>
        {columns.length === 0 && (
          <span className="result-more">
            <Severity severity={row.severity} />
            <Score score={row.score} state={row.state} />
            <span>{VERDICT_WORDS[row.verdict]}</span>
            <Time at={row.lastSeen} />
          </span>
        )}
      </th>
      {columns.map(({ key, cell }) => (
        <td key={key}>{cell(row)}</td>
      ))}
    </tr>
  );
});
