// Checks each version in the feed: that the object agrees with its row, and that each ceiling sees it when it should.

import { type Audience, CEILINGS, readersAt } from '../../../domain/audience.ts';
import type { TlpMarking } from '../../../domain/vocabulary.ts';
import type { Connection } from '../connection.ts';
import { shownDate } from '../feed/dates.ts';
import { checkHistories } from './check-histories.ts';
import type { Findings } from './check-rules.ts';

/** @param onRow called for every version. */
export function checkFeed(connection: Connection, findings: Findings, onRow: () => void): void {
  const audiences = new Set(
    connection.rows('select audience from feed_audience').map(([audience]) => audience as Audience),
  );
  const rows = connection.each(
    `select f.date_added, f.object_id, f.type, f.version, f.audience, o.object
     from feed f join feed_object o using (date_added) order by f.date_added`,
  ) as Iterable<[number, string, string, string, Audience, string]>;
  for (const [place, id, type, version, audience, text] of rows) {
    const object = read(text);
    if (object === undefined || object.id !== id || object.type !== type) {
      findings.add('object-of-its-version', String(place));
    } else if ((object.modified ?? object.created) !== version) {
      findings.add('version-of-its-object', String(place));
    }
    if (!audiences.has(audience)) findings.add('known-audience', String(place));
    onRow();
  }
  checkHistories(connection, audiences, findings);
  for (const ceiling of CEILINGS) checkDates(connection, ceiling, findings);
}

/** The dates that one ceiling sees. */
function checkDates(connection: Connection, ceiling: TlpMarking, findings: Findings): void {
  const reader = readersAt(ceiling);
  const rows = connection.each(
    `select f.date_added, ${shownDate(connection, 'f.date_added', ceiling)}, f.version
     from feed f where f.audience & ? <> 0 order by f.date_added`,
    reader,
  ) as Iterable<[number, number, string]>;
  let [lastPlace, last] = [0, 0];
  for (const [place, date, version] of rows) {
    if (date <= last || date > place) findings.add('dates-in-order', `${place} for ${reader}`);
    // A TAXII client that polls by `modified` would miss the version.
    if (date < Date.parse(version) * 1_000) findings.add('added-before-modified', `${place} for ${reader}`);
    [lastPlace, last] = [place, date];
  }
  const end = connection.row('select date_added, shown from feed_end where audience & ? <> 0', reader);
  const [endPlace, endDate] = (end ?? [0, 0]) as [number, number];
  if (endPlace < lastPlace || endDate < last) findings.add('end-of-the-feed', String(reader));
}

function read(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
