// Event ids for logs that have none: a record read again is the same event again.

import { hash } from 'node:crypto';

/**
 * An id of 32 hex digits that depends on the content of the record alone, so that reading a log a second time yields
 * duplicates. Two identical records are one event, too: there is nothing by which to tell them apart.
 */
export function contentId(record: string): string {
  return hash('sha256', record, 'hex').slice(0, 32);
}
