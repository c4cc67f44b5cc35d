// Reads function and service codes as sensors write them: `43`, `0x2b`, `READ_COILS`, `ReadRequest`,
// `read-property-ack`. The result is a whole number or a code of a table. The text of the sensor itself is never kept.

/** Characters. No protocol has a longer code or name. */
const TEXT_LIMIT = 64;
const NUMBER = /^(?:0x[0-9a-f]{1,4}|\d{1,5})$/i;
/** How Zeek writes a code that it does not know. */
const UNKNOWN = /^unknown[-_ ](\d{1,5})$/i;
const ENDINGS = /(?:request|response|exception|ack)$/;

/** 0 to 99,999 from decimal or `0x` notation; undefined for anything else. */
export function codeNumber(text: string | undefined): number | undefined {
  if (text === undefined || text.length > TEXT_LIMIT) return undefined;
  const digits = UNKNOWN.exec(text)?.[1] ?? text;
  return NUMBER.test(digits) ? Number(digits) : undefined;
}

/** The name in lower case, without separators: `READ_COILS` and `Read Coils` become `readcoils`. */
export function codeName(text: string | undefined): string {
  if (text === undefined || text.length > TEXT_LIMIT) return '';
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** One code of a protocol: its numbers, its name here, and other names. */
export type CodeRow = readonly [number: number | readonly number[], name: string, ...aliases: string[]];

/** The codes of one protocol field, by number and by name. */
export interface CodeTable {
  readonly byNumber: ReadonlyMap<number, string>;
  readonly byName: ReadonlyMap<string, string>;
}

/**
 * @param prefix of the codes: `modbus` and `read-coils` give the behaviour code `modbus:read-coils`.
 * @param rows may share a name. Numbers with the same meaning share a row.
 */
export function codeTable(prefix: string, rows: readonly CodeRow[]): CodeTable {
  const byNumber = new Map<number, string>();
  const byName = new Map<string, string>();
  for (const [numbers, name, ...aliases] of rows) {
    const code = `${prefix}:${name}`;
    for (const number of [numbers].flat()) byNumber.set(number, code);
    for (const alias of [name, ...aliases]) byName.set(codeName(alias), code);
  }
  return { byNumber, byName };
}

/** The behaviour code of a number or name; undefined if the table does not have it. */
export function lookUp(table: CodeTable, text: string | undefined): string | undefined {
  const number = codeNumber(text);
  return number === undefined ? lookUpName(table, text) : table.byNumber.get(number);
}

/** Also tries the name without an ending such as `Request`, since a request and its answer are one behaviour. */
export function lookUpName(table: CodeTable, text: string | undefined): string | undefined {
  const name = codeName(text);
  return name === '' ? undefined : (table.byName.get(name) ?? table.byName.get(name.replace(ENDINGS, '')));
}
