// Text of attackers inside a sentence: quoted, bounded, on one line, unable to change the order in which readers see the
// rest, and without links that a viewer would make clickable.

import { printable } from '../../../domain/printable.ts';

const LIMIT = 80;

/** Letters that are written from right to left. They change the order of the text around them without any control. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu;
/** Joiners are printable inside words, and hide text in a command. */
const JOINERS = /[\u200c\u200d]/g;
const ADDRESS = /\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/g;
/** A reader takes any of them for the end of the quotation, and what follows for words of the service. */
const QUOTATION_MARKS = /["\u00ab\u00bb\u201c-\u201f\u2033\u2036\u301d-\u301f\uff02]/g;
/** The scheme and the host of a URL. */
const HOST = /:\/\/([^\s/"'<>?#]*)/g;

/** The text in quotation marks. A longer one is cut and ends with an ellipsis. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const cut = line.length <= LIMIT ? line : `${line.slice(0, LIMIT).trimEnd().toWellFormed()}…`;
  return `"${defanged(shown(cut)).replace(QUOTATION_MARKS, "'")}"`;
}

function shown(text: string): string {
  return printable(text).replace(RIGHT_TO_LEFT, escapeOf).replace(JOINERS, escapeOf);
}

function escapeOf(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

function defanged(text: string): string {
  return text.replace(HOST, (_, host: string) => `[:]//${defang(host)}`).replace(ADDRESS, defang);
}

/** Prevents a viewer from turning an address or a host into a link. */
export function defang(value: string): string {
  return value.replaceAll('.', '[.]').replaceAll(':', '[:]');
}

/** Names of data sets, networks and families come from the operator's data, and often contain the URL of their source. */
export function plainName(name: string): string {
  return shown(name.replace(/\s*\(?\b[a-z]+:\/\/[^\s)]*\)?/gi, '')).slice(0, LIMIT);
}
