// Enrichment: runs the enrichers in their order, gathers what they found and scores once more with what they adjust.
// SCORED becomes ENRICHED; ENRICHED and VERIFIED are enriched again in place.

import { ServiceError } from '../domain/errors.ts';
import type { Enrichment, IndicatorRecord } from '../domain/indicator/indicator.ts';
import { advance, nextVersionAt, PIPELINE } from '../domain/indicator/lifecycle.ts';
import { observedSeverity, withSeverity } from '../domain/indicator/severity-bound.ts';
import type { Instant } from '../domain/instant.ts';
import { imposedCaps, scoreIndicator } from '../domain/score/confidence.ts';
import type { ReceiptAdjustment, ReceiptCap, ScoreReceipt } from '../domain/score/score-receipt.ts';
import { compareText } from '../domain/sorted-list.ts';
import type { Severity } from '../domain/vocabulary.ts';
import type { Enricher, Finding, Signal } from './enricher.ts';
import { checkFinding, mergeFindings } from './finding.ts';
import { withReceipt } from './score.ts';
import { within } from './time-limit.ts';

export interface EnrichOptions {
  readonly at: Instant;
  /** For each enricher that does not answer at once. */
  readonly timeoutMs: number;
}

export interface Enriched {
  readonly record: IndicatorRecord;
  /**
   * `retry`: nothing that runs here could be done, or there is no summary or risk yet. The record then is as it was,
   * but for the failures in its receipt.
   */
  readonly outcome: 'enriched' | 'retry';
}

type Failure = NonNullable<ScoreReceipt['failures']>[number];

/** What the enrichers made of a record. */
interface Run {
  readonly findings: Finding;
  readonly receipt: ScoreReceipt;
  readonly failures: readonly Failure[];
  readonly successes: number;
}

/**
 * A failing enricher is recorded and stops no other. What it had found earlier is kept, so that a data source that is
 * down for a while takes nothing away.
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
  return { record: nextVersion(enriched, options.at), outcome: 'enriched' };
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
  // One after the other: each is told what those before it found, the score included.
  for (const enricher of enrichers) {
    const terms = adjustments.length + caps.length;
    let { findings } = signal;
    try {
      if (!enricher.appliesTo(signal)) continue;
      const answer = enricher.enrich(signal);
      // Most enrichers look into memory: only a real promise costs a turn of the event loop and a timer.
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

/** Only what was meant to be shown: any other message may carry paths, addresses or secrets. */
function publicReason(error: unknown): string {
  if (error instanceof ServiceError) return error.message;
  return error instanceof Error ? `failed (${error.name})` : 'failed';
}

/** @param observed the severity to note where it is bounded. */
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
  const datasets = findings.datasets ?? kept?.datasets;
  return {
    ...receipt,
    ...(risk === undefined ? undefined : { risk }),
    ...(techniques === undefined ? undefined : { techniques }),
    ...(warningLists === undefined ? undefined : { warningLists }),
    ...(bound === undefined ? undefined : { severity: { ...bound, observed } }),
    ...(datasets === undefined ? undefined : { datasets }),
    ...(failures.length === 0 ? undefined : { failures }),
  };
}

/** Undefined while there is no summary or no risk: without them an indicator is not enriched. */
function enrichmentOf(
  { findings, failures }: Run,
  { risk, techniques = [] }: ScoreReceipt,
  previous: Enrichment | undefined,
  enrichedAt: Instant,
): Enrichment | undefined {
  const aiSummary = findings.summary ?? previous?.aiSummary;
  if (aiSummary === undefined || risk === undefined) return undefined;
  const kept = failures.length > 0 ? previous : undefined;
  const geo = findings.geo ?? kept?.geo;
  const asn = findings.asn ?? kept?.asn;
  const reverseDns = findings.reverseDns ?? kept?.reverseDns;
  return {
    ...(geo === undefined ? undefined : { geo }),
    ...(asn === undefined ? undefined : { asn }),
    ...(reverseDns === undefined ? undefined : { reverseDns }),
    malwareFamilies: findings.malwareFamilies ?? kept?.malwareFamilies ?? [],
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
