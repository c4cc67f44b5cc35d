// Ids and names of sources.
//
// A source belongs to the reporter (the credential) that names it. Its id begins with the id of the reporter, and its
// name ends with the reporter. So nobody can use the id of another's source, rename it, or pass for it: "CISA" of one
// key and "CISA" of another key are two sources, and readers see who reported each of them.

import { printable } from '../printable.ts';

/** In a list of sources for which a reporter may speak: every source. */
export const ANY_SOURCE = '*';

/** Ends the id of the reporter in the id of a source. */
const SEPARATOR = '#';

/** The id of a reporter as a source id. Different reporters have different ids, and none contains the separator. */
export function reporterId(id: string): string {
  return id.replace(/[%#]/g, encodeURIComponent);
}

/**
 * The id of a source that a reporter names.
 * @param reporter output of reporterId.
 */
export function namedSourceId(reporter: string, id: string): string {
  return reporter + SEPARATOR + id;
}

/** The reporter to which a source belongs. A source that is a reporter itself belongs to itself. */
export function reporterOf(sourceId: string): string {
  const end = sourceId.indexOf(SEPARATOR);
  return end < 0 ? sourceId : sourceId.slice(0, end);
}

/** Everything that looks like a parenthesis. */
const OPENING = /[(\uff08\ufe59\u207d\u208d\u2768\u276a\u27ee\u2e28]/g;
const CLOSING = /[)\uff09\ufe5a\u207e\u208e\u2769\u276b\u27ef\u2e29]/g;

/**
 * A name that others chose, as readers see it. Only the service writes parentheses into the name of a source. Characters
 * that nobody sees are escaped, so that the name cannot hide the reporter or change the order of the text.
 */
export function shownName(name: string): string {
  const spaced = name.trim().replace(/\s+/g, ' ');
  return printable(spaced).replace(OPENING, '[').replace(CLOSING, ']');
}

/**
 * The name of a source with its reporter, such as `CISA (reported by key soc-aggregator)`.
 * @param how `claimed` if the reporter may not speak for the source.
 * @param title how readers know the reporter, such as `key soc-aggregator`.
 */
export function nameWithReporter(name: string, how: 'reported' | 'claimed', title: string): string {
  return `${shownName(name)} (${how} by ${title})`;
}
