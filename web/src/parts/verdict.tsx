// What the service makes of an indicator, by its stated rules.

import type { ThreatIndicator, Verdict as VerdictName } from '../api/contract.ts';
import { VERDICT_WORDS } from '../text/words.ts';
import './chips.css';

export function Verdict({ verdict }: { readonly verdict: VerdictName }) {
  const name = verdict.slice('VERDICT_'.length).toLowerCase();
  return <span className={`verdict verdict-${name}`}>{VERDICT_WORDS[verdict] ?? verdict}</span>;
}

/** An indicator has its verdict as a label. Without one it is not judged yet. */
export function verdictOf({ labels }: Pick<ThreatIndicator, 'labels'>): VerdictName {
  const name = labels?.find(({ key }) => key === 'verdict')?.value?.toUpperCase();
  const verdict = `VERDICT_${name}`;
  return verdict in VERDICT_WORDS ? (verdict as VerdictName) : 'VERDICT_UNSPECIFIED';
}
