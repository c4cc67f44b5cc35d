// From the first sighting to the end of validity, on one line.

import type { ScoreReceipt, ThreatIndicator } from '../../api/contract.ts';
import { useNow } from '../../parts/clock.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { Time } from '../../parts/time.tsx';
import { INDICATOR } from '../../text/indicator.ts';
import { Panel } from './panel.tsx';

interface Props {
  readonly indicator: ThreatIndicator;
  readonly receipt: ScoreReceipt | undefined;
}

const WIDTH = 300;

export function LifetimePanel({ indicator, receipt }: Props) {
  const now = useNow();
  const { firstSeen, lastSeen, validUntil } = indicator;
  const lifetime = receipt?.lifetime;
  if (firstSeen === undefined || lastSeen === undefined) return null;
  const end = validUntil === undefined ? undefined : Date.parse(validUntil);
  const [from, seen] = [Date.parse(firstSeen), Date.parse(lastSeen)];
  const until = Math.max(seen, now, end ?? now) + 1;
  const x = (at: number) => (WIDTH * (at - from)) / (until - from);
  return (
    <Panel title={INDICATOR.decay}>
      <svg
        className="lifetime"
        viewBox={`-6 0 ${WIDTH + 12} 40`}
        role="img"
        aria-label={INDICATOR.decayPicture}
      >
        <line className="lifetime-axis" x1="0" x2={WIDTH} y1="20" y2="20" />
        <rect className="lifetime-seen" x="0" y="16" width={Math.max(2, x(seen))} height="8" />
        {end !== undefined && end > seen && (
          <path className="lifetime-valid" d={`M${x(seen)} 14L${x(end)} 19V21L${x(seen)} 26Z`} />
        )}
        <line className="lifetime-now" x1={x(now)} x2={x(now)} y1="8" y2="32" />
        <text x={Math.min(WIDTH - 22, Math.max(0, x(now) - 11))} y="6">
          {INDICATOR.now}
        </text>
      </svg>
      <dl className="indicator-facts">
        <div>
          <dt>{INDICATOR.firstSeen}</dt>
          <dd>
            <Time at={firstSeen} />
          </dd>
        </div>
        <div>
          <dt>{INDICATOR.lastSeen}</dt>
          <dd>
            <Time at={lastSeen} />
          </dd>
        </div>
        <div>
          <dt>{INDICATOR.validUntil}</dt>
          <dd>{validUntil === undefined ? INDICATOR.noEnd : <Time at={validUntil} />}</dd>
        </div>
      </dl>
      {lifetime !== undefined && (
        <p className="soft">
          {INDICATOR.lifetime(
            lifetime.days,
            lifetime.persistence.toFixed(2),
            lifetime.trust.toFixed(2),
            lifetime.share,
          )}
          : <HostileText text={lifetime.because} />
        </p>
      )}
    </Panel>
  );
}
