// The value, what the service makes of it, and what a person can do.

import type { ScoreReceipt, ThreatIndicator } from '../../api/contract.ts';
import { useNow } from '../../parts/clock.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { defang } from '../../parts/defang.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { isExpired } from '../../parts/relative-time.ts';
import { Score } from '../../parts/score.tsx';
import { Severity } from '../../parts/severity.tsx';
import { standingOf } from '../../parts/standing.ts';
import { Time } from '../../parts/time.tsx';
import { TlpChip } from '../../parts/tlp-chip.tsx';
import { Value } from '../../parts/value.tsx';
import { Verdict, verdictOf } from '../../parts/verdict.tsx';
import { INDICATOR, STANDING_WORDS } from '../../text/indicator.ts';
import { STATE_WORDS, TYPE_WORDS } from '../../text/words.ts';
import { Acts } from './acts.tsx';

interface Props {
  readonly indicator: ThreatIndicator;
  readonly receipt: ScoreReceipt | undefined;
}

export function IndicatorHead({ indicator, receipt }: Props) {
  const { type, value, state, tlp, severity, confidenceScore } = indicator;
  const now = useNow();
  const standing = standingOf(indicator);
  const because = receipt?.verdict?.because;
  return (
    <header className="indicator-head">
      <div className="indicator-title">
        <p className="soft">{TYPE_WORDS[type] ?? type}</p>
        <h1>
          <Value type={type} value={value} limit={400} />
        </h1>
        <p className="indicator-copies">
          <CopyButton text={defang(type, value)}>{INDICATOR.copyDefanged}</CopyButton>
          <span title={INDICATOR.realWarning}>
            <CopyButton text={value}>{INDICATOR.copyReal}</CopyButton>
          </span>
        </p>
      </div>
      <div className="indicator-marks">
        <Verdict verdict={verdictOf(indicator)} />
        {because !== undefined && (
          <span className="soft indicator-because">
            <HostileText text={because} limit={200} />
          </span>
        )}
        <Severity severity={severity} />
        <Score score={confidenceScore} state={state} />
        <TlpChip tlp={tlp} />
        <span className="chip">{STATE_WORDS[state] ?? state}</span>
        {standing === 'STANDING_IN_FORCE' && isExpired(indicator.validUntil, now) && (
          <span className="chip indicator-standing" title={INDICATOR.expiredHint}>
            {INDICATOR.expired} <Time at={indicator.validUntil} />
          </span>
        )}
        {standing !== 'STANDING_IN_FORCE' && (
          <span className="chip indicator-standing">{STANDING_WORDS[standing]}</span>
        )}
      </div>
      {receipt?.neverBlock !== undefined && (
        <p className="panel indicator-notice">
          <HostileText text={INDICATOR.neverBlock(receipt.neverBlock.entry)} limit={400} />
        </p>
      )}
      <Acts indicator={indicator} />
    </header>
  );
}
