// The result as CSV (RFC 4180), safe to open in a spreadsheet.

/** A spreadsheet runs a cell that begins like this. Text of attackers must not. */
const FORMULA = /^[=+\-@\t\r]/;

export function csvOf(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [header, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) || text !== value ? `"${text.replaceAll('"', '""')}"` : text;
}
