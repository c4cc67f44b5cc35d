// Writes the rows of a result into a file of the browser.

import type { SearchIndicatorsRequest } from '../../api/contract.ts';
import { searchIndicators } from '../../api/indicators.ts';
import { csvOf } from '../../parts/csv.ts';
import { saveFile } from '../../parts/save-file.ts';
import { type Row, rowOf } from './row.ts';
import { MOST_ROWS } from './use-results.ts';

const PAGE = 1_000;

const FIELDS: readonly (readonly [header: string, cell: (row: Row) => string | number])[] = [
  ['id', (row) => row.id],
  ['type', (row) => row.type],
  ['value', (row) => row.value],
  ['verdict', (row) => row.verdict],
  ['severity', (row) => row.severity],
  ['confidenceScore', (row) => row.score],
  ['state', (row) => row.state],
  ['tlp', (row) => row.tlp],
  ['categories', (row) => row.categories.join(' ')],
  ['protocol', (row) => row.protocol],
  ['sensorType', (row) => row.sensorType],
  ['intent', (row) => row.intent],
  ['countryCode', (row) => row.country],
  ['asn', (row) => row.asn ?? ''],
  ['asnOrganization', (row) => row.network],
  ['malwareFamilies', (row) => row.families.join('; ')],
  ['attackTechniques', (row) => row.techniques.join(' ')],
  ['tags', (row) => row.tags.join('; ')],
  ['sources', (row) => row.sources.map(({ name }) => name).join('; ')],
  ['firstSeen', (row) => row.firstSeen],
  ['lastSeen', (row) => row.lastSeen],
  ['validUntil', (row) => row.validUntil ?? ''],
  ['createdAt', (row) => row.createdAt],
];

/**
 * Reads the result page by page and hands it to the browser as a file.
 * @returns how many rows were written, and whether there are more.
 */
export async function downloadCsv(
  request: SearchIndicatorsRequest,
  onProgress: (rows: number) => void,
  signal: AbortSignal,
): Promise<{ readonly rows: number; readonly isCut: boolean }> {
  const rows: Row[] = [];
  let pageToken = '';
  do {
    const page = await searchIndicators(
      { ...request, pagination: { pageSize: PAGE, pageToken } },
      { signal },
    );
    rows.push(...page.indicators.map(rowOf));
    pageToken = page.pageInfo.nextPageToken;
    onProgress(rows.length);
  } while (pageToken !== '' && rows.length < MOST_ROWS);
  const header = FIELDS.map(([name]) => name);
  const cells = rows.map((row) => FIELDS.map(([, cell]) => cell(row)));
  saveFile('indicators.csv', 'text/csv', csvOf([header, ...cells]));
  return { rows: rows.length, isCut: pageToken !== '' };
}
