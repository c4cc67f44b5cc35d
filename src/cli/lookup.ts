// `tis lookup`: prints what is known of many values.

import { createInterface } from 'node:readline';
import { Command } from 'commander';
import type { TlpMarking } from '../domain/vocabulary.ts';
import { createLookup, type LookupResult, MAX_LOOKUP_VALUES } from '../search/lookup.ts';
import { withStores } from '../service/stores.ts';
import { markingOption } from './indicator-arguments.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { CliError, printJson, printLine, printTable } from './terminal.ts';

interface LookupOptions {
  readonly ceiling: TlpMarking;
  readonly json?: boolean;
}

/** The members of a stored document that the table shows. */
interface ShownIndicator {
  readonly id: string;
  readonly state: string;
  readonly severity: string;
  readonly confidenceScore: number;
  readonly lastSeen: string;
}

export function lookupCommand(): Command {
  return withStoreSettings(new Command('lookup'))
    .description('print what is known of values: exactly, of their hosts, parent domains and ranges')
    .argument(
      '<value...>',
      'values of any type, defanged or not; - reads them from standard input, a line each',
    )
    .option('--ceiling <tlp>', 'what a reader with this TLP ceiling sees', markingOption, 'RED')
    .option('--json', 'print JSON')
    .action(async (given: readonly string[], options: LookupOptions, command: Command) => {
      const values = await valuesOf(given);
      await withStores(configOf(command), async (stores) => {
        const lookup = createLookup(stores.indicators, stores.installation.secret);
        const { results, documents, omitted } = await lookup({ values, ceiling: options.ceiling });
        const indicators = documents.map((text): ShownIndicator => JSON.parse(text));
        if (options.json === true) printJson({ results, indicators, omittedIndicatorCount: omitted });
        else showTable(results, indicators);
      });
    });
}

async function valuesOf(given: readonly string[]): Promise<readonly string[]> {
  const values: string[] = [];
  const add = (value: string) => {
    if (value.trim() === '') return;
    values.push(value);
    if (values.length > MAX_LOOKUP_VALUES) throw new CliError(`more than ${MAX_LOOKUP_VALUES} values`);
  };
  for (const one of given) {
    if (one !== '-') add(one);
    else for await (const line of createInterface({ input: process.stdin })) add(line);
  }
  return values;
}

function showTable(results: readonly LookupResult[], indicators: readonly ShownIndicator[]): void {
  const known = new Map(indicators.map((indicator) => [indicator.id, indicator]));
  printTable([
    ['value', 'match', 'indicator', 'state', 'severity', 'confidence', 'last seen'],
    ...results.flatMap(({ value, matches, description }) => {
      if (matches.length === 0) return [[value, description ?? 'nothing known']];
      return matches.map((match, index) => {
        const indicator = known.get(match.indicatorId);
        return [
          index === 0 ? value : '',
          match.kind,
          match.value,
          match.standing === 'IN_FORCE'
            ? (indicator?.state.replace('INDICATOR_STATE_', '') ?? '')
            : match.standing,
          indicator?.severity.replace('SEVERITY_', '') ?? '',
          String(indicator?.confidenceScore ?? ''),
          indicator?.lastSeen ?? '',
        ];
      });
    }),
  ]);
  const matched = results.filter(({ matches }) => matches.length > 0).length;
  const unread = results.filter(({ reason }) => reason !== undefined).length;
  printLine(`${matched} of ${results.length} values known, ${unread} not readable`);
}
