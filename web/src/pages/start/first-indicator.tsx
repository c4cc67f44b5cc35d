// Waits for the first indicator that the sensor reports, and shows it when it comes.

import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import type { ThreatIndicator } from '../../api/contract.ts';
import { watchIndicators } from '../../api/watch.ts';
import { Score } from '../../parts/score.tsx';
import { Severity } from '../../parts/severity.tsx';
import { Value } from '../../parts/value.tsx';
import { START } from '../../text/start.ts';

interface Props {
  /** Of the sensor: its reports have this source. */
  readonly keyId: string | undefined;
  readonly arrived: ThreatIndicator | undefined;
  readonly onArrived: (indicator: ThreatIndicator) => void;
}

export function FirstIndicator({ keyId, arrived, onArrived }: Props) {
  const [trouble, setTrouble] = useState('');
  const waits = keyId !== undefined && arrived === undefined;
  useEffect(() => {
    if (!waits) return;
    return watchIndicators([['filter.sourceIds', keyId]], {
      onReady: () => setTrouble(''),
      onIndicator: onArrived,
      onLost: () => setTrouble(START.see.lost),
      onEnd: () => setTrouble(START.see.ended),
    });
  }, [waits, keyId, onArrived]);
  return (
    <div aria-live="polite">
      {keyId === undefined && <p className="soft">{START.see.needsKey}</p>}
      {waits && <p className="start-waits">{trouble === '' ? START.see.waits : trouble}</p>}
      {arrived && (
        <>
          <p>{START.see.arrived}</p>
          <p className="start-arrived">
            <Value type={arrived.type} value={arrived.value} /> <Severity severity={arrived.severity} />
            <Score score={arrived.confidenceScore} />
            <Link href={`/indicators/${arrived.id}`} className="button small">
              {START.see.open}
            </Link>
          </p>
          <p className="soft">{START.see.why}</p>
        </>
      )}
    </div>
  );
}
