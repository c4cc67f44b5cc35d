// Labels that the service computes. A report that brings one of them has no effect, so nobody can forge them.

import { toRfc3339 } from '../instant.ts';
import { VERDICT_LABEL } from '../score/verdict.ts';
import { compareText, withItems } from '../sorted-list.ts';
import type { Indicator, IndicatorRecord, Label } from './indicator.ts';

/** The deepest intent of the observed control messages. */
const INTENT = 'intent';
/** A person disputed the indicator. The value is the time. */
const FALSE_POSITIVE = 'false-positive';
/** A person withdrew the indicator for good. The value is the time. */
const WITHDRAWN = 'withdrawn';

/** The operator never wants it to be blocked, so it stays out of the feed. */
export const NEVER_BLOCK = 'never-block';

const COMPUTED: ReadonlySet<string> = new Set([
  INTENT,
  FALSE_POSITIVE,
  WITHDRAWN,
  NEVER_BLOCK,
  VERDICT_LABEL,
]);

export function compareLabels(a: Label, b: Label): number {
  return compareText(a.key, b.key) || compareText(a.value, b.value);
}

export function isComputedLabel({ key }: Label): boolean {
  return COMPUTED.has(key);
}

/** What the labels are computed from. */
type Computable = Pick<IndicatorRecord, 'evidence' | 'receipt' | 'disputedAt' | 'revokedAt' | 'neverBlock'>;

/** Labels that were reported, with the computed ones among them. */
export function withComputedLabels(given: readonly Label[], record: Computable): readonly Label[] {
  const { evidence, receipt, disputedAt, revokedAt, neverBlock } = record;
  const { intent } = evidence.lead;
  const computed: Label[] = [];
  if (disputedAt !== undefined) computed.push({ key: FALSE_POSITIVE, value: toRfc3339(disputedAt) });
  if (intent !== 'none') computed.push({ key: INTENT, value: intent });
  if (neverBlock !== undefined) computed.push({ key: NEVER_BLOCK, value: '' });
  // The verdict stays until the next one.
  const verdict = receipt?.verdict?.verdict;
  if (verdict !== undefined) computed.push({ key: VERDICT_LABEL, value: verdict.toLowerCase() });
  if (revokedAt !== undefined) computed.push({ key: WITHDRAWN, value: toRfc3339(revokedAt) });
  return withItems(given, computed, compareLabels);
}

/** The record with its computed labels renewed. */
export function relabelled(record: IndicatorRecord): IndicatorRecord {
  const given = record.indicator.labels.filter((label) => !isComputedLabel(label));
  return { ...record, indicator: { ...record.indicator, labels: withComputedLabels(given, record) } };
}

/** Whether people let the indicator stand. Withdrawal is the stronger verdict. */
export const STANDINGS = ['UNSPECIFIED', 'IN_FORCE', 'DISPUTED', 'WITHDRAWN'] as const;
export type Standing = (typeof STANDINGS)[number];

/** The same from the ProtoJSON of an indicator, which need not be parsed: no text of a reporter holds a bare quote. */
export function standingIn(document: string): Standing {
  const has = (wanted: string) => document.includes(`{"key":"${wanted}","value":"`);
  if (has(WITHDRAWN)) return 'WITHDRAWN';
  return has(FALSE_POSITIVE) ? 'DISPUTED' : 'IN_FORCE';
}

export function standingOf({ labels }: Pick<Indicator, 'labels'>): Standing {
  const has = (wanted: string) => labels.some(({ key }) => key === wanted);
  if (has(WITHDRAWN)) return 'WITHDRAWN';
  return has(FALSE_POSITIVE) ? 'DISPUTED' : 'IN_FORCE';
}
