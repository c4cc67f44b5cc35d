// `tis usage`: billed use, by account and credential.

import { Command, Option } from 'commander';
import type { TimeWindow } from '../domain/filter.ts';
import { toRfc3339 } from '../domain/instant.ts';
import type { UsageBucket } from '../domain/usage-bucket.ts';
import { floorToInstant, parseProtoTimestamp } from '../protojson/proto-timestamp.ts';
import { withUsage } from '../service/stores.ts';
import type { UsageAmounts, UsageHolder, UsageReader, UsageTotal } from '../store/usage.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { CliError, printJson, printLine, printTable } from './terminal.ts';

/** Hours in more than a century: the most buckets of one credential. */
const MAX_TOTALS = 1_000_000;

interface UsageOptions {
  readonly from?: string;
  readonly to?: string;
  readonly bucket: string;
  readonly account?: string;
  readonly key?: string;
  readonly json?: boolean;
}

type Row = UsageHolder & UsageTotal;

export function usageCommand(): Command {
  return withStoreSettings(new Command('usage'))
    .description('print metered use: searches are pages answered with status 200, lookups are values')
    .option('--from <when>', 'a day (2026-11-01) or an RFC 3339 time; its bucket is shown whole')
    .option('--to <when>', 'end, exclusive: a day or an RFC 3339 time')
    .addOption(
      new Option('--bucket <length>', 'length of a bucket, in UTC')
        .choices(['hour', 'day', 'month'])
        .default('month'),
    )
    .option('--account <account>', 'only this account')
    .option('--key <id>', 'only this credential: id of a key, or issuer|subject of a person')
    .option('--json', 'print JSON')
    .action(async (options: UsageOptions, command: Command) => {
      const window = windowOf(options);
      const bucket = options.bucket.toUpperCase() as UsageBucket;
      await withUsage(configOf(command), async (usage) => {
        const rows = await rowsOf(usage, options, bucket, window);
        if (options.json === true) showJson(rows);
        else showTable(rows);
      });
    });
}

async function rowsOf(
  usage: UsageReader,
  { account, key }: UsageOptions,
  bucket: UsageBucket,
  window: TimeWindow,
): Promise<Row[]> {
  const holders = (await usage.holders(account)).filter(
    ({ credential }) => key === undefined || credential === key,
  );
  const rows: Row[] = [];
  for (const holder of holders) {
    const totals = await usage.report({ ...holder, bucket, window }, MAX_TOTALS);
    rows.push(...totals.map((total) => ({ ...holder, ...total })));
  }
  return rows.sort((a, b) => a.start - b.start);
}

function showJson(rows: readonly Row[]): void {
  printJson({
    records: rows.map(({ account, credential, start, end, searches, returned, lookups, lookupRequests }) => ({
      account,
      keyId: credential,
      start: toRfc3339(start),
      end: toRfc3339(end),
      searchCount: searches,
      returnedCount: returned,
      lookupCount: lookups,
      lookupRequestCount: lookupRequests,
    })),
    searchCount: sumOf(rows, 'searches'),
    returnedCount: sumOf(rows, 'returned'),
    lookupCount: sumOf(rows, 'lookups'),
    lookupRequestCount: sumOf(rows, 'lookupRequests'),
  });
}

function showTable(rows: readonly Row[]): void {
  printTable([
    ['from', 'to', 'account', 'key', 'searches', 'returned', 'lookups'],
    ...rows.map(({ account, credential, start, end, searches, returned, lookups }) => [
      shortText(start),
      shortText(end),
      account,
      credential,
      String(searches),
      String(returned),
      String(lookups),
    ]),
  ]);
  printLine(
    `${sumOf(rows, 'searches')} searches, ${sumOf(rows, 'returned')} indicators returned, ` +
      `${sumOf(rows, 'lookups')} lookups`,
  );
}

function sumOf(rows: readonly Row[], member: keyof UsageAmounts): number {
  return rows.reduce((sum, row) => sum + row[member], 0);
}

/** Buckets begin at full hours, so minutes and seconds are left out. */
function shortText(instant: number): string {
  return toRfc3339(instant).replace(':00.000Z', 'Z').replace('T00:00Z', '');
}

function windowOf({ from, to }: UsageOptions): TimeWindow {
  const start = from === undefined ? undefined : parseWhen(from, '--from');
  const end = to === undefined ? undefined : parseWhen(to, '--to');
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
}

function parseWhen(text: string, flag: string): number {
  const parts = parseProtoTimestamp(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  if (parts === undefined) {
    throw new CliError(`${flag}: ${JSON.stringify(text)} is not a day (2026-11-01) or an RFC 3339 time`);
  }
  return floorToInstant(parts);
}
