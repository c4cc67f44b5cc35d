// Withdrawal: the verdict that an indicator turned out to be wrong.

import { type Instant, toRfc3339 } from '../instant.ts';
import { judged } from '../score/verdict.ts';
import { compareText } from '../sorted-list.ts';
import type { IndicatorRecord } from './indicator.ts';
import { nextVersionAt } from './lifecycle.ts';

/** The label of a withdrawn indicator in search results. */
const LABEL = 'withdrawn';

/** The record of a withdrawn indicator. Later reports are merged into it, and nothing of them is published. */
export function withdrawn(record: IndicatorRecord, now: Instant): IndicatorRecord {
  const { indicator } = record;
  const labels = [
    ...indicator.labels.filter(({ key }) => key !== LABEL),
    { key: LABEL, value: toRfc3339(now) },
  ];
  labels.sort((a, b) => compareText(a.key, b.key) || compareText(a.value, b.value));
  return judged({
    ...record,
    revokedAt: now,
    indicator: { ...indicator, labels, updatedAt: nextVersionAt(indicator.updatedAt, now) },
  });
}
