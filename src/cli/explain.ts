// `tis explain`: prints the score receipt of an indicator, and what was seen of it.

import { Command } from 'commander';
import { ServiceError } from '../domain/errors.ts';
import { evidenceOf } from '../domain/evidence/kept-evidence.ts';
import { standingOf } from '../domain/indicator/computed-labels.ts';
import { actsFor } from '../domain/indicator/human-act.ts';
import type { IndicatorRecord } from '../domain/indicator/indicator.ts';
import { toRfc3339 } from '../domain/instant.ts';
import type { ScoreReceipt } from '../domain/score/score-receipt.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import { encodeEvidence } from '../protojson/evidence-json.ts';
import { findRelated } from '../search/related.ts';
import { withStores } from '../service/stores.ts';
import { printEvidence } from './evidence-table.ts';
import { indicatorIdFor, markingOption } from './indicator-arguments.ts';
import { printRelated } from './related-table.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { printJson, printLine, printTable } from './terminal.ts';

interface ExplainOptions {
  readonly ceiling: TlpMarking;
  readonly json?: boolean;
}

export function explainCommand(): Command {
  return withStoreSettings(new Command('explain'))
    .description('print the score receipt of an indicator and the evidence for it')
    .argument('<indicator>', 'id, STIX id, or value (defanged or not)')
    .option(
      '--ceiling <tlp>',
      'the indicator as a reader with this TLP ceiling sees it',
      markingOption,
      'RED',
    )
    .option('--json', 'print the receipt as JSON')
    .action(async (indicator: string, options: ExplainOptions, command: Command) => {
      await withStores(configOf(command), async (stores) => {
        const id = indicatorIdFor(stores.installation.secret, indicator);
        const stored = await stores.indicators.record(id, options.ceiling);
        if (stored === undefined) {
          throw new ServiceError('not_found', `no such indicator: ${indicator}`, {
            reason: 'INDICATOR_NOT_FOUND',
          });
        }
        const related = await findRelated(stores.indicators, id, options.ceiling, 1);
        const kept = evidenceOf((await stores.indicators.evidence(id, options.ceiling)) ?? []);
        if (options.json === true) {
          printJson({
            id: stored.indicator.id,
            ...(stored.revokedAt === undefined ? {} : { withdrawnAt: toRfc3339(stored.revokedAt) }),
            receipt: stored.receipt,
            history: stored.history,
            standing: standingOf(stored.indicator),
            acts: actsFor(stored.acts ?? [], options.ceiling).map(({ at, ...act }) => ({
              ...act,
              at: toRfc3339(at),
            })),
            evidence: JSON.parse(encodeEvidence(id, [kept])).seen,
            links: related?.links.map(({ firstSeen, lastSeen, ...link }) => ({
              ...link,
              firstSeen: toRfc3339(firstSeen),
              lastSeen: toRfc3339(lastSeen),
            })),
            related: related?.indicators,
          });
        } else {
          printReceipt(stored, options.ceiling);
          printEvidence(kept);
          if (related !== undefined) printRelated(related);
        }
      });
    });
}

function printReceipt(record: IndicatorRecord, ceiling: TlpMarking): void {
  const { indicator, receipt, history, acts: people = [] } = record;
  printLine(
    `${indicator.type} ${indicator.value}  ${indicator.state}  confidence ${indicator.confidenceScore}`,
  );
  for (const { to, at, actor } of history) printLine(`  ${to} at ${toRfc3339(at)} by ${actor}`);
  for (const { kind, at, actor, note } of actsFor(people, ceiling))
    printLine(`  ${kind} at ${toRfc3339(at)} by ${actor}${note === '' ? '' : `: ${note}`}`);
  if (receipt === undefined) return;
  printLine();
  printTable([
    ['group', 'source', 'reliability', 'quality', 'certainty', 'recency', 'probability'],
    ...receipt.groups.map((group) => [
      group.group,
      group.sourceName,
      group.reliability.toFixed(2),
      group.quality.toFixed(2),
      group.certainty.toFixed(3),
      group.recency.toFixed(3),
      group.probability.toFixed(3),
    ]),
  ]);
  printLine();
  const { sensorDays, doublings, acts, doubt } = receipt.corroboration;
  printLine(
    `doubt that is left`.padEnd(28) +
      `${doubt.toFixed(4)}, after ${sensorDays} sensor-days, ${2 ** doublings} events or more, ${acts} kinds of acts`,
  );
  printLine(`noisy-or of the groups`.padEnd(28) + receipt.combined.toFixed(4));
  for (const { enricher, points, because } of receipt.adjustments) {
    printLine(`${enricher}: ${points > 0 ? '+' : ''}${points} (${because})`);
  }
  for (const { rule, limit, factor, because } of receipt.caps) {
    printLine(`at most ${limit}${factor === undefined ? '' : ` after × ${factor}`}: ${rule} (${because})`);
  }
  printLine(`score by ${receipt.rules}`.padEnd(28) + String(receipt.score));
  printLifetime(receipt);
  if (receipt.severity !== undefined) {
    const { observed, limit, because } = receipt.severity;
    printLine(`severity at most ${limit}, observed ${observed} (${because})`);
  }
  for (const { name, version, entry } of receipt.warningLists ?? []) {
    printLine(`on the warning list "${name}" (${version}): ${entry}`);
  }
  if (receipt.verdict !== undefined)
    printLine(
      `verdict by ${receipt.verdict.rules}`.padEnd(28) +
        `${receipt.verdict.verdict} (${receipt.verdict.because})`,
    );
  if (receipt.summary !== undefined) printLine(`summary by the model ${receipt.summary.model}`);
  for (const { name, builtAt } of receipt.datasets ?? []) printLine(`data of ${name}, ${toRfc3339(builtAt)}`);
  for (const { id, because } of receipt.techniques ?? []) printLine(`technique ${id}: ${because}`);
  for (const { enricher, reason } of receipt.failures ?? [])
    printLine(`enricher ${enricher} failed: ${reason}`);
}

function printLifetime({ lifetime, validUntil }: ScoreReceipt): void {
  if (lifetime === undefined || validUntil === undefined) return;
  const { days, because, persistence, trust, share } = lifetime;
  printLine(`valid until`.padEnd(28) + toRfc3339(validUntil));
  printLine(
    `  ${days} days × ${persistence.toFixed(2)} (persistence) × ${trust.toFixed(2)} (confidence)` +
      `${share === 1 ? '' : ` × ${share} (shared)`}: ${because}`,
  );
}
