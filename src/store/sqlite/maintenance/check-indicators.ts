// Checks each indicator against its record, and the search index against all indicators.

import type { Audience } from '../../../domain/audience.ts';
import { indicatorId } from '../../../domain/indicator/identity.ts';
import type { Indicator } from '../../../domain/indicator/indicator.ts';
import { numberOf, SEVERITIES } from '../../../domain/vocabulary.ts';
import { markingNumber } from '../../rules/markings.ts';
import type { Connection } from '../connection.ts';
import { blobToId } from '../id-column.ts';
import { hasRange } from '../search/address-ranges.ts';
import { tokensOf } from '../search/indexed-rows.ts';
import { unpackRecord } from '../search/packed-record.ts';
import { facetTokens } from '../search/search-tokens.ts';
import { searchedText } from '../search/text-tokens.ts';
import { markingNumberOf } from '../search/view-rows.ts';
import type { Findings } from './check-rules.ts';

/** Hash buckets for the numbers of rows under each token. A difference in one bucket shows a fault. Takes 16 MB. */
const BUCKETS = 1 << 22;

/** @param onRow called for every view of an indicator. */
export function checkIndicators(connection: Connection, findings: Findings, onRow: () => void): void {
  const secret = Buffer.from(connection.row('select secret from installation')?.[0] as Uint8Array);
  const indexed = new Int32Array(BUCKETS);
  const rows = connection.each(
    `select i.id, i.audience, ${markingNumberOf('i.seq')}, i.severity, i.confidence, i.last_seen, i.valid_until, i.created_at, i.haystack, i.words,
       r.facets, r.record, r.ahead, d.document
     from indicator i join indicator_record r using (seq) join indicator_document d using (seq)
     order by i.seq`,
  );
  for (const [blob, audience, ...stored] of rows) {
    const id = blobToId(blob as Uint8Array);
    const columns = stored.slice(0, 8);
    const [haystack, words, facets, record, ahead, document] = stored.slice(6) as [
      string,
      string,
      string,
      Uint8Array,
      number,
      string,
    ];
    const indicator = read(record);
    if (indicator === undefined) findings.add('record-readable', id);
    else {
      if (indicator.id !== id || indicatorId(secret, indicator.type, indicator.value) !== id) {
        findings.add('id-of-its-value', id);
      }
      const expected = ahead === 0 ? columnsOf(indicator) : [markingNumber(indicator.tlp)];
      if (expected.some((value, index) => value !== columns[index])) {
        findings.add('columns-of-its-record', id);
      }
      if (ahead === 0 && facetTokens(indicator, audience as Audience) !== facets)
        findings.add('tokens-of-its-record', id);
    }
    if (indicator?.type === 'CIDR' && !hasRange(connection, indicator.value))
      findings.add('range-of-its-value', id);
    if (!document.includes(id)) findings.add('document-of-its-record', id);
    for (const token of tokensOf({ facets, haystack, words })) count(indexed, token, 1);
    onRow();
  }
  checkIndex(connection, indexed, findings);
}

function read(packed: Uint8Array): Indicator | undefined {
  try {
    return unpackRecord(packed).indicator;
  } catch {
    return undefined;
  }
}

/** The number of the marking, and the columns as indicator-writer.ts writes them. */
function columnsOf(indicator: Indicator): readonly (number | string | null)[] {
  const { haystack, words } = searchedText(indicator);
  return [
    markingNumber(indicator.tlp),
    numberOf(SEVERITIES, indicator.severity),
    indicator.confidenceScore,
    indicator.lastSeen,
    indicator.validUntil ?? null,
    indicator.createdAt,
    haystack,
    words,
  ];
}

/** Compares the number of rows under each token. The index cannot list the tokens of a row. */
function checkIndex(connection: Connection, indexed: Int32Array, findings: Findings): void {
  connection.exec(
    `create virtual table if not exists temp.search_index_terms using fts5vocab(main, search_index, row)`,
  );
  for (const [token, rows] of connection.each('select term, doc from temp.search_index_terms')) {
    count(indexed, token as string, -(rows as number));
  }
  let wrong = 0;
  for (const rows of indexed) if (rows !== 0) wrong += 1;
  if (wrong > 0) findings.add('search-index-holds-the-tokens', `${wrong} of ${BUCKETS} counts`);
}

/** Hashes by FNV-1a, which is fast and spreads well enough. */
function count(buckets: Int32Array, token: string, rows: number): void {
  let hash = 0x811c9dc5;
  for (let index = 0; index < token.length; index++)
    hash = Math.imul(hash ^ token.charCodeAt(index), 0x01000193);
  const bucket = (hash >>> 0) % BUCKETS;
  buckets[bucket] = (buckets[bucket] ?? 0) + rows;
}
