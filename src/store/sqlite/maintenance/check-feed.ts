// Checks each version in the feed: that the object agrees with its row, and that pages find it.

import type { Connection } from '../connection.ts';
import { listingsOf } from '../feed/listing.ts';
import type { Findings } from './check-rules.ts';

/** @param onRow called for every version. */
export function checkFeed(connection: Connection, findings: Findings, onRow: () => void): void {
  let listed = 0;
  const rows = connection.each(
    `select f.date_added, f.object_id, f.type, f.version, f.tlp, f.collections, f.superseded_at is null, o.object
     from feed f join feed_object o using (date_added) order by f.date_added`,
  ) as Iterable<[number, string, string, string, number, number, number, string]>;
  for (const [dateAdded, id, type, version, tlp, collections, isNewest, text] of rows) {
    const object = read(text);
    if (object === undefined || object.id !== id || object.type !== type) {
      findings.add('object-of-its-version', String(dateAdded));
    } else if ((object.modified ?? object.created) !== version) {
      findings.add('version-of-its-object', String(dateAdded));
    }
    // A TAXII client that polls by `modified` would miss the version.
    if (dateAdded < Date.parse(version) * 1_000) findings.add('added-before-modified', String(dateAdded));
    if (isNewest === 1) {
      for (const listing of listingsOf(type, collections)) {
        listed += 1;
        if (!isListed(connection, listing, tlp, dateAdded))
          findings.add('listed-for-pages', String(dateAdded));
      }
    }
    onRow();
  }
  const rowsListed = connection.row('select count(*) from feed_live')?.[0];
  if (rowsListed !== listed)
    findings.add('only-newest-versions-listed', `${rowsListed} instead of ${listed}`);
}

function isListed(connection: Connection, listing: number, tlp: number, dateAdded: number): boolean {
  return (
    connection.row(
      'select 1 from feed_live where listing = ? and tlp = ? and date_added = ?',
      listing,
      tlp,
      dateAdded,
    ) !== undefined
  );
}

function read(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
