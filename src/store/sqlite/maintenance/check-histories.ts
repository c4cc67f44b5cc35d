// Checks the history of each object in the feed, for each ceiling as if the versions of the others did not exist: which
// version is the newest, when the others were superseded, and in which collections they are.

import { type Audience, CEILINGS, NOBODY, readersAt } from '../../../domain/audience.ts';
import type { Connection } from '../connection.ts';
import { headsAmong } from '../feed/heads.ts';
import { IN_DOUBT, listingsOf } from '../feed/listing.ts';
import type { Findings } from './check-rules.ts';

interface Version {
  readonly place: number;
  readonly id: string;
  readonly type: string;
  readonly version: string;
  readonly audience: Audience;
  readonly collections: number;
  readonly joined: number;
}

/** @param audiences that reads know. */
export function checkHistories(
  connection: Connection,
  audiences: ReadonlySet<Audience>,
  findings: Findings,
): void {
  let listed = 0;
  let superseded = 0;
  for (const history of histories(connection)) {
    listed += checkListings(connection, history, audiences, findings);
    superseded += checkSupersessions(connection, history, findings);
    for (const ceiling of CEILINGS) checkVersions(history, readersAt(ceiling), findings);
  }
  compareCount(connection, 'feed_live', listed, 'only-newest-versions-listed', findings);
  compareCount(connection, 'feed_superseded', superseded, 'only-older-versions-superseded', findings);
}

/** The versions of each object, from the newest to older ones. */
function* histories(connection: Connection): Generator<readonly Version[]> {
  const rows = connection.each(
    `select hex(uuid), date_added, object_id, type, version, audience, collections, joined
     from feed order by uuid desc, version desc`,
  ) as Iterable<[string, number, string, string, string, number, number, number]>;
  let current: string | undefined;
  let objects = new Map<string, Version[]>();
  for (const [uuid, place, id, type, version, audience, collections, joined] of rows) {
    if (uuid !== current) {
      yield* objects.values();
      [current, objects] = [uuid, new Map()];
    }
    const history = objects.get(id) ?? [];
    history.push({ place, id, type, version, audience, collections, joined });
    objects.set(id, history);
  }
  yield* objects.values();
}

/** Returns the number of entries that the listings should have. */
function checkListings(
  connection: Connection,
  history: readonly Version[],
  audiences: ReadonlySet<Audience>,
  findings: Findings,
): number {
  let expected = 0;
  for (const { place, audience, collections } of headsAmong(history)) {
    if (!audiences.has(audience)) findings.add('known-audience', String(place));
    for (const listing of listingsOf(history[0]?.type ?? '', collections)) {
      expected += 1;
      const entry = connection.row(
        'select 1 from feed_live where listing = ? and audience = ? and date_added = ?',
        listing,
        audience,
        place,
      );
      if (entry === undefined) findings.add('listed-for-pages', String(place));
    }
  }
  return expected;
}

/** Returns the number of supersessions that the object should have. */
function checkSupersessions(connection: Connection, history: readonly Version[], findings: Findings): number {
  let expected = 0;
  for (const version of history) {
    for (const [at, audience] of supersessionsOf(version, history)) {
      expected += 1;
      const found = connection.row(
        'select audience, collections from feed_superseded where superseded_at = ? and date_added = ?',
        at,
        version.place,
      );
      if (found?.[0] !== audience || found?.[1] !== version.collections)
        findings.add('superseded-by', String(version.place));
    }
  }
  return expected;
}

/** When a version was superseded, and for whom: by the first newer version, or from the start if that is earlier. */
function supersessionsOf(version: Version, history: readonly Version[]): ReadonlyMap<number, Audience> {
  const supersessions = new Map<number, Audience>();
  for (const ceiling of CEILINGS) {
    const reader = readersAt(ceiling);
    if ((version.audience & reader) === NOBODY) continue;
    let at: number | undefined;
    for (const other of history) {
      if (other.version <= version.version || (other.audience & reader) === NOBODY) continue;
      at = Math.min(at ?? other.place, other.place);
    }
    if (at === undefined) continue;
    const since = Math.max(at, version.place);
    supersessions.set(since, (supersessions.get(since) ?? NOBODY) | reader);
  }
  return supersessions;
}

function checkVersions(history: readonly Version[], reader: Audience, findings: Findings): void {
  const visible = history.filter(({ audience }) => (audience & reader) !== NOBODY);
  const versions = new Set(visible.map(({ version }) => version));
  if (versions.size < visible.length) findings.add('version-twice', String(visible[0]?.id));
  let before = 0;
  for (const { place, collections, joined } of visible.toSorted((one, other) => one.place - other.place)) {
    if ((before & ~collections) !== 0) findings.add('stays-in-its-collections', String(place));
    // A version joined the collections in which no earlier one is.
    const wrong = (collections & ~before) ^ joined;
    const isWrong = (joined & IN_DOUBT) === 0 ? wrong !== 0 : (wrong & ~joined) !== 0;
    if (isWrong) findings.add('first-version', String(place));
    before = collections;
  }
}

function compareCount(
  connection: Connection,
  table: string,
  expected: number,
  rule: string,
  findings: Findings,
): void {
  const rows = connection.row(`select count(*) from ${table}`)?.[0];
  if (rows !== expected) findings.add(rule, `${rows} instead of ${expected}`);
}
