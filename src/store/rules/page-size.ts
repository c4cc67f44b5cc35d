// The size of a page that a store reads at once. Documents are as large as reporters make them, so the number of rows alone
// does not bound a page.

/** Characters of the documents of a page. Usual pages of the greatest number of rows have half of it. */
export const PAGE_CHARACTERS = 16 * 1_024 ** 2;

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Whether there are more rows after the last one. */
  readonly more: boolean;
}

/**
 * Takes rows until there are `limit`, or until their documents have PAGE_CHARACTERS. One row is always taken.
 * @param found at least one row more than `limit`, if there are so many. It is not read further than needed.
 */
export function takePage<Row>(found: Iterable<Row>, limit: number, textOf: (row: Row) => string): Page<Row> {
  const rows: Row[] = [];
  let characters = 0;
  for (const row of found) {
    characters += textOf(row).length;
    if (rows.length === limit || (rows.length > 0 && characters > PAGE_CHARACTERS))
      return { rows, more: true };
    rows.push(row);
  }
  return { rows, more: false };
}
