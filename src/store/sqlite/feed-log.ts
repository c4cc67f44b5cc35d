// The append-only feed log: every published version once, in one order for all readers.

import type { SQLInputValue } from 'node:sqlite';
import { nextDateAdded } from '../../domain/date-added.ts';
import { numberOf, TLP_MARKINGS } from '../../domain/vocabulary.ts';
import type { FeedAppend, FeedEntry, FeedPage, FeedQuery, FeedReader } from '../stores.ts';
import type { Connection } from './connection.ts';
import { guarded } from './indicator-reader.ts';
import { tlpColumn } from './tlp-column.ts';

export function createFeedReader(connection: Connection): FeedReader {
  return {
    page: guarded((query: FeedQuery): FeedPage => {
      const { where, values } = conditionsOf(query);
      const rows = connection.rows(
        `select f.date_added, f.object_id, f.type, f.version, o.object
         from feed f cross join feed_object o on o.date_added = f.date_added
         where ${where} order by f.date_added limit ?`,
        ...values,
        query.limit + 1,
      );
      const entries = rows.slice(0, query.limit).map(
        ([dateAdded, id, type, version, object]): FeedEntry => ({
          dateAdded: dateAdded as number,
          id: id as string,
          type: type as string,
          version: version as string,
          object: object as string,
        }),
      );
      return { entries, more: rows.length > query.limit };
    }),
    last: guarded(() => lastDateAdded(connection)),
  };
}

function conditionsOf(query: FeedQuery): { where: string; values: SQLInputValue[] } {
  const clauses = ['f.date_added > ?', 'f.date_added <= ?', 'f.tlp <= ?'];
  const values: SQLInputValue[] = [
    query.after ?? Number.MIN_SAFE_INTEGER,
    query.until,
    numberOf(TLP_MARKINGS, query.ceiling),
  ];
  const oneOf = (column: string, wanted: readonly string[]) => {
    clauses.push(`${column} in (${wanted.map(() => '?').join(', ')})`);
    values.push(...wanted);
  };
  if (query.ids !== undefined) oneOf('f.object_id', query.ids);
  if (query.types !== undefined) oneOf('f.type', query.types);
  const versions = query.versions ?? 'last';
  if (versions === 'last') {
    // The newest version as it was at the end of the walk, so that a walk sees one state of the feed throughout.
    clauses.push('(f.superseded_at is null or f.superseded_at > ?)');
    values.push(query.until);
  } else if (versions === 'first') {
    clauses.push('f.first = 1');
  } else if (versions !== 'all') {
    oneOf('f.version', versions);
  }
  return { where: clauses.join(' and '), values };
}

export function appendToFeed(connection: Connection, entries: readonly FeedAppend[], now: number): number {
  let last = lastDateAdded(connection);
  let appended = 0;
  for (const entry of entries) {
    // The versions of one object are written alike, so the greatest text is the newest version.
    const newest = connection.row(
      'select date_added, version, tlp from feed where object_id = ? order by version desc limit 1',
      entry.id,
    );
    if (newest !== undefined && hasVersion(connection, entry, newest[1] as string)) continue;
    last = nextDateAdded(last, entry.modified, now);
    // A version that comes after a newer one is superseded from the start, and the newer one's marking governs it.
    const late = newest !== undefined && entry.version < (newest[1] as string);
    const tlp = late ? (newest[2] as number) : tlpColumn(entry.tlp);
    connection.run(
      `insert into feed (date_added, object_id, type, version, tlp, first, superseded_at)
       values (?, ?, ?, ?, ?, ?, ?)`,
      last,
      entry.id,
      entry.type,
      entry.version,
      tlp,
      newest === undefined ? 1 : 0,
      late ? last : null,
    );
    connection.run('insert into feed_object (date_added, object) values (?, ?)', last, entry.object);
    if (newest !== undefined && !late) {
      connection.run('update feed set superseded_at = ? where date_added = ?', last, newest[0] as number);
      if (newest[2] !== tlp) connection.run('update feed set tlp = ? where object_id = ?', tlp, entry.id);
    }
    appended += 1;
  }
  return appended;
}

function hasVersion(connection: Connection, entry: FeedAppend, newestVersion: string): boolean {
  if (entry.version === newestVersion) return true;
  return (
    connection.row('select 1 from feed where object_id = ? and version = ?', entry.id, entry.version) !==
    undefined
  );
}

function lastDateAdded(connection: Connection): number | undefined {
  const row = connection.row('select max(date_added) from feed');
  return (row?.[0] ?? undefined) as number | undefined;
}
