// What the service makes of an indicator, in words. A low score is weak evidence, and never a clean bill.

import type { IndicatorState } from '../api/contract.ts';
import { VERDICT_WORDS } from '../text/verdicts.ts';
import './chips.css';

interface Props {
  readonly state: IndicatorState;
  readonly score: number;
  readonly disputed?: boolean;
}

export type VerdictName = 'confirmed' | 'probable' | 'possible' | 'weak' | 'unknown' | 'disputed';

export function Verdict(props: Props) {
  const name = verdictOf(props);
  return <span className={`verdict verdict-${name}`}>{VERDICT_WORDS[name]}</span>;
}

function verdictOf({ state, score, disputed = false }: Props): VerdictName {
  if (disputed) return 'disputed';
  if (state === 'INDICATOR_STATE_VERIFIED') return 'confirmed';
  if (state === 'INDICATOR_STATE_RAW') return 'unknown';
  if (score >= 70) return 'probable';
  return score >= 40 ? 'possible' : 'weak';
}
