// A table of a few hundred rows at most. It scrolls sideways within itself on small screens.

import { type ReactNode, useRef } from 'react';
import { useRowKeys } from './row-keys.ts';
import './table.css';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** For numbers. */
  readonly end?: boolean;
}

interface Props<Row> {
  /** Names the table for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}

/** A link with `data-row` in a cell takes part in j and k. */
export function Table<Row>({ caption, columns, rows, rowKey }: Props<Row>) {
  const frame = useRef<HTMLElement>(null);
  useRowKeys(frame);
  return (
    <section ref={frame} className="table-frame" aria-label={caption} tabIndex={0}>
      <table className="table">
        <caption className="hidden-text">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ key, title, end }) => (
              <th key={key} scope="col" className={end ? 'end' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map(({ key, cell, end }) => (
                <td key={key} className={end ? 'end' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
