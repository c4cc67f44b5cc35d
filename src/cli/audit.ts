// `tis audit`: who did what to which resource.

import { Command } from 'commander';
import { toRfc3339 } from '../domain/instant.ts';
import { withStores } from '../service/stores.ts';
import type { AuditEntry, AuditRecord } from '../store/stores.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { CliError, printJson, printTable } from './terminal.ts';

const MAX_ENTRIES = 100_000;

export function auditCommand(): Command {
  return withStoreSettings(new Command('audit'))
    .description('print the audit log, newest first: acts on keys, verifications, withdrawals')
    .option('--limit <number>', 'number of entries', '100')
    .option('--json', 'print JSON')
    .action(async (options: { limit: string; json?: boolean }, command: Command) => {
      const limit = parseLimit(options.limit);
      await withStores(configOf(command), async (stores) => {
        const entries = await stores.audit(limit);
        if (options.json === true) printJson(entries.map(toJson));
        else printTable([['at', 'actor', 'action', 'target', 'detail'], ...entries.map(toRow)]);
      });
    });
}

function toJson({ number: _, ...entry }: AuditRecord) {
  return { ...entry, at: toRfc3339(entry.at) };
}

function toRow({ at, actor, action, target, detail }: AuditEntry): string[] {
  return [toRfc3339(at), actor, action, target, Object.entries(detail).map(detailText).join(' ')];
}

/** Names and notes are free text. Quotation marks keep them from looking like another member. */
function detailText([name, value]: [string, string]): string {
  return `${name}=${/^[\w.:@/|-]+$/.test(value) ? value : JSON.stringify(value)}`;
}

function parseLimit(text: string): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_ENTRIES) {
    throw new CliError(`--limit: ${JSON.stringify(text)} is not a whole number from 1 to ${MAX_ENTRIES}`);
  }
  return limit;
}
