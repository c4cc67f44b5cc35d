// Enrichment: runs the enrichers in order, merges their findings and scores again with their adjustments. SCORED
// becomes ENRICHED; ENRICHED and VERIFIED are enriched again in place.

import { ServiceError } from '../domain/errors.ts';
import type { Enrichment, IndicatorRecord } from '../domain/indicator/indicator.ts';
import { advance, nextVersionAt, PIPELINE } from '../domain/indicator/lifecycle.ts';
import type { Instant } from '../domain/instant.ts';
import { imposedCaps, scoreIndicator } from '../domain/score/confidence.ts';
import type { ReceiptAdjustment, ReceiptCap, ScoreReceipt } from '../domain/score/score-receipt.ts';
import { judged } from '../domain/score/verdict.ts';
import { compareText } from '../domain/sorted-list.ts';
import type { Severity } from '../domain/vocabulary.ts';
import {
  checkFinding,
  type Enricher,
  enrichmentFields,
  type Finding,
  mergeFindings,
  type Signal,
  within,
} from './enricher.ts';
import { observedSeverity, withReceipt, withSeverity } from './score.ts';

export interface EnrichOptions {
  readonly at: Instant;
  /** For each enricher that answers with a promise. */
  readonly timeoutMs: number;
}

export interface Enriched {
  readonly record: IndicatorRecord;
  /**
   * `retry`: every enricher failed, or the summary or the risk is missing. Only the failures in the receipt changed.
   */
  readonly outcome: 'enriched' | 'retry';
}

type Failure = NonNullable<ScoreReceipt['failures']>[number];

/** The result of running all enrichers on one record. */
interface Run {
  readonly findings: Finding;
  readonly receipt: ScoreReceipt;
  readonly failures: readonly Failure[];
  readonly successes: number;
}

/**
 * A failing enricher is recorded, and the others still run. Its earlier findings are kept, so that an outage of a data
 * source removes nothing.
 * Rejects with `failed_precondition` when the record is not scored yet.
 */
export async function enrich(
  record: IndicatorRecord,
  enrichers: readonly Enricher[],
  options: EnrichOptions,
): Promise<Enriched> {
  const { receipt: earlier, indicator } = record;
  if (earlier === undefined) {
    throw new ServiceError('failed_precondition', 'only a scored indicator can be enriched', {
      reason: 'NOT_SCORED',
    });
  }
  const observed = observedSeverity(record);
  const run = await runAll(withSeverity(record, observed, undefined), earlier, enrichers, options.timeoutMs);
  const receipt = receiptOf(run, earlier, observed);
  const enrichment = enrichmentOf(run, receipt, indicator.enrichment, options.at);
  if (enrichment === undefined || (run.successes === 0 && run.failures.length > 0)) {
    return { record: { ...record, receipt: { ...earlier, failures: run.failures } }, outcome: 'retry' };
  }

  const scored = withReceipt(withSeverity(record, observed, receipt.severity), receipt);
  const enriched = { ...scored, indicator: { ...scored.indicator, enrichment } };
  return { record: nextVersion(judged(enriched), options.at), outcome: 'enriched' };
}

async function runAll(
  record: IndicatorRecord,
  earlier: ScoreReceipt,
  enrichers: readonly Enricher[],
  timeoutMs: number,
): Promise<Run> {
  const failures: Failure[] = [];
  const adjustments: ReceiptAdjustment[] = [];
  const caps: ReceiptCap[] = [];
  let successes = 0;
  const observed = record.indicator.severity;
  let signal: Signal = { record, receipt: scoreIndicator(record), findings: {} };
  // One after the other: each enricher sees the findings of those before it, and the score with their adjustments.
  for (const enricher of enrichers) {
    const terms = adjustments.length + caps.length;
    let { findings } = signal;
    try {
      if (!enricher.appliesTo(signal)) continue;
      const answer = enricher.enrich(signal);
      // Most enrichers answer from memory. Only a promise needs a timer and a turn of the event loop.
      const finding = answer instanceof Promise ? await within(answer, timeoutMs) : answer;
      checkFinding(finding);
      findings = mergeFindings(findings, finding);
      if (finding.adjustment !== undefined)
        adjustments.push({ enricher: enricher.name, ...finding.adjustment });
      for (const cap of finding.caps ?? []) caps.push({ rule: enricher.name, ...cap });
      successes++;
    } catch (error) {
      failures.push({ enricher: enricher.name, reason: publicReason(error) });
      adjustments.push(...earlier.adjustments.filter((adjustment) => adjustment.enricher === enricher.name));
      caps.push(...imposedCaps(earlier).filter(({ rule }) => rule === enricher.name));
    }
    const changed = adjustments.length + caps.length > terms;
    const receipt = changed ? scoreIndicator(record, [...adjustments], [...caps]) : signal.receipt;
    signal = { record: withSeverity(record, observed, findings.severityBound), receipt, findings };
  }
  return { findings: signal.findings, receipt: signal.receipt, failures, successes };
}

/** Only a ServiceError has a public message. Any other message may contain paths, addresses or secrets. */
function publicReason(error: unknown): string {
  if (error instanceof ServiceError) return error.message;
  return error instanceof Error ? `failed (${error.name})` : 'failed';
}

/** @param observed the severity to record when it is bounded. */
function receiptOf(
  { receipt, findings, failures }: Run,
  earlier: ScoreReceipt,
  observed: Severity,
): ScoreReceipt {
  const risk = findings.risk ?? earlier.risk;
  const kept = failures.length > 0 ? earlier : undefined;
  const techniques = findings.techniques ?? kept?.techniques;
  const warningLists = findings.warningLists ?? kept?.warningLists;
  const bound = findings.severityBound ?? kept?.severity;
  const scanner = findings.scanner ?? kept?.scanner;
  const datasets = findings.datasets ?? kept?.datasets;
  return {
    ...receipt,
    ...(risk === undefined ? undefined : { risk }),
    ...(techniques === undefined ? undefined : { techniques }),
    ...(warningLists === undefined ? undefined : { warningLists }),
    ...(scanner === undefined ? undefined : { scanner }),
    ...(findings.summaryBy === undefined ? undefined : { summary: findings.summaryBy }),
    ...(bound === undefined ? undefined : { severity: { ...bound, observed } }),
    ...(datasets === undefined ? undefined : { datasets }),
    ...(failures.length === 0 ? undefined : { failures }),
  };
}

/** Undefined while the summary or the risk is missing: an enriched indicator always has both. */
function enrichmentOf(
  { findings, failures }: Run,
  { risk, techniques = [] }: ScoreReceipt,
  previous: Enrichment | undefined,
  enrichedAt: Instant,
): Enrichment | undefined {
  const aiSummary = findings.summary ?? previous?.aiSummary;
  if (aiSummary === undefined || risk === undefined) return undefined;
  return {
    malwareFamilies: [],
    // Every derived field of the previous enrichment is replaced below.
    ...(failures.length > 0 ? previous : undefined),
    ...enrichmentFields(findings),
    attackTechniques: techniques.map(({ id }) => id).sort(compareText),
    aiSummary,
    riskScore: risk.score,
    enrichedAt,
  };
}

function nextVersion(record: IndicatorRecord, at: Instant): IndicatorRecord {
  const { indicator } = record;
  return indicator.state === 'SCORED'
    ? advance(record, 'ENRICHED', at, PIPELINE)
    : { ...record, indicator: { ...indicator, updatedAt: nextVersionAt(indicator.updatedAt, at) } };
}
