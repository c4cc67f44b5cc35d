// What the service makes of an indicator, by its stated rules.

import type { ThreatIndicator, Verdict as VerdictName } from '../api/contract.ts';
import { PARTS } from '../text/parts.ts';
import { VERDICT_WORDS } from '../text/words.ts';
import './chips.css';

interface Props {
  readonly verdict: VerdictName;
  /** It was true until the indicator expired. */
  readonly expired?: boolean;
}

export function Verdict({ verdict, expired = false }: Props) {
  const name = verdict.slice('VERDICT_'.length).toLowerCase();
  const word = VERDICT_WORDS[verdict] ?? verdict;
  if (!expired) return <span className={`verdict verdict-${name}`}>{word}</span>;
  return (
    <span className="verdict verdict-expired" title={PARTS.expired}>
      {word}
      <span className="hidden-text"> ({PARTS.expired})</span>
    </span>
  );
}

/** An indicator has its verdict as a label. Without one it is not judged yet. */
export function verdictOf({ labels }: Pick<ThreatIndicator, 'labels'>): VerdictName {
  const name = labels?.find(({ key }) => key === 'verdict')?.value?.toUpperCase();
  const verdict = `VERDICT_${name}`;
  return verdict in VERDICT_WORDS ? (verdict as VerdictName) : 'VERDICT_UNSPECIFIED';
}
