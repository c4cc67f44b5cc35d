// Function and service codes as sensors write them: `43`, `0x2b`, `READ_COILS`, `ReadRequest`, `read-property-ack`.
// Nothing of what a sensor wrote is kept: a text becomes a whole number, or a code of a table, or nothing.

/** Longest code or name that is looked at; no protocol has a longer one. */
const TEXT_LIMIT = 64;
const NUMBER = /^(?:0x[0-9a-f]{1,4}|\d{1,5})$/i;
/** Zeek's name for a code it does not know. */
const UNKNOWN = /^unknown[-_ ](\d{1,5})$/i;
const ENDINGS = /(?:request|response|exception|ack)$/;

/** 0 to 99,999 from decimal or `0x` notation; undefined for anything else. */
export function codeNumber(text: string | undefined): number | undefined {
  if (text === undefined || text.length > TEXT_LIMIT) return undefined;
  const digits = UNKNOWN.exec(text)?.[1] ?? text;
  return NUMBER.test(digits) ? Number(digits) : undefined;
}

/** The name without case, separators and word order of punctuation: `READ_COILS` and `Read Coils` are `readcoils`. */
export function codeName(text: string | undefined): string {
  if (text === undefined || text.length > TEXT_LIMIT) return '';
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** One code of a protocol: its numbers, what it is called here, and what else it is called. */
export type CodeRow = readonly [number: number | readonly number[], name: string, ...aliases: string[]];

/** The codes of one protocol field, by number and by name. */
export interface CodeTable {
  readonly byNumber: ReadonlyMap<number, string>;
  readonly byName: ReadonlyMap<string, string>;
}

/**
 * @param prefix goes before the names: `modbus` and `read-coils` give the behaviour code `modbus:read-coils`.
 * Rows may share a name; a number that says too little to be told from its neighbours is a row of several numbers.
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

/** The behaviour code of a number or name; undefined when the table does not have it. */
export function lookUp(table: CodeTable, text: string | undefined): string | undefined {
  const number = codeNumber(text);
  return number === undefined ? lookUpName(table, text) : table.byNumber.get(number);
}

/** A request and its answer are one behaviour, so a name is also tried without such an ending. */
export function lookUpName(table: CodeTable, text: string | undefined): string | undefined {
  const name = codeName(text);
  return name === '' ? undefined : (table.byName.get(name) ?? table.byName.get(name.replace(ENDINGS, '')));
}
