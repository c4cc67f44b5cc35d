// The use of the account as a CSV file: a line for each credential and day.

import type { AccountUse } from '../../api/usage.ts';
import { csvOf } from '../../parts/csv.ts';
import { saveFile } from '../../parts/save-file.ts';
import { USAGE } from '../../text/usage.ts';
import { nameOf } from './use-series.ts';

const HEADER = [
  'day',
  'credential',
  'name',
  'searches',
  'indicators',
  'lookups',
  'lookupRequests',
  'refused',
];

export function DownloadCsv({ use }: { readonly use: AccountUse }) {
  const save = () => {
    const today = new Date().toISOString().slice(0, 10);
    saveFile(USAGE.csvName(use.account, today), 'text/csv', csvOf([HEADER, ...rowsOf(use)]));
  };
  return (
    <button type="button" className="button" onClick={save}>
      {USAGE.csv}
    </button>
  );
}

function rowsOf(use: AccountUse): (string | number)[][] {
  return use.credentials.flatMap((credential) => {
    const refused = new Map(credential.refusals.map(({ start, requests }) => [start, requests]));
    const used = credential.days.map((day): (string | number)[] => [
      day.start.slice(0, 10),
      credential.id,
      nameOf(credential),
      day.searchCount,
      day.returnedCount,
      day.lookupCount,
      day.lookupRequestCount,
      take(refused, day.start),
    ]);
    const refusedOnly = [...refused].map(([start, requests]): (string | number)[] => [
      start.slice(0, 10),
      credential.id,
      nameOf(credential),
      0,
      0,
      0,
      0,
      requests,
    ]);
    return [...used, ...refusedOnly];
  });
}

function take(refused: Map<string, number>, start: string): number {
  const requests = refused.get(start) ?? 0;
  refused.delete(start);
  return requests;
}
