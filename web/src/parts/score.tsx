// A confidence score as a number with its bar.

import type { IndicatorState } from '../api/contract.ts';
import { PARTS } from '../text/parts.ts';
import './chips.css';

interface Props {
  readonly score: number;
  /** A raw indicator has no score yet. */
  readonly state?: IndicatorState;
}

export function Score({ score, state }: Props) {
  if (state === 'INDICATOR_STATE_RAW') return <span className="soft">{PARTS.notScored}</span>;
  return (
    <span className="score" title={PARTS.score(score)}>
      <b>{score}</b>
      <svg viewBox="0 0 40 5" width="40" height="5" aria-hidden="true">
        <rect className="score-track" width="40" height="5" />
        <rect className="score-bar" width={(score * 40) / 100} height="5" />
      </svg>
    </span>
  );
}
