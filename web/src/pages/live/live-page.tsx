// What happens now: indicators as they come, events by minute, origins, sensors, and what waits.

import { useEffect, useState } from 'react';
import { type LiveFigures, watchFigures } from '../../api/live.ts';
import { LIVE } from '../../text/live.ts';
import { TITLES } from '../../text/titles.ts';
import { Backlog } from './backlog.tsx';
import { Events } from './events.tsx';
import { Origins } from './origins.tsx';
import { Sensors } from './sensors.tsx';
import { Ticker } from './ticker.tsx';
import { useTicker } from './use-ticker.ts';
import './live.css';

export function LivePage() {
  const ticker = useTicker();
  const figures = useFigures();
  return (
    <div className="page">
      <div className="page-head">
        <h1>{TITLES.live}</h1>
        <p className={`live-state live-${ticker.connection}`} role="status">
          {LIVE[ticker.connection]}
        </p>
      </div>
      <div className="live-grid">
        <Ticker {...ticker} />
        {figures && (
          <>
            <Backlog figures={figures} />
            <Events figures={figures} />
            <Origins figures={figures} />
            <Sensors figures={figures} />
          </>
        )}
      </div>
    </div>
  );
}

function useFigures(): LiveFigures | undefined {
  const [figures, setFigures] = useState<LiveFigures>();
  // The line on the connection is that of the other stream: both go to one service.
  useEffect(() => watchFigures(setFigures, () => undefined), []);
  return figures;
}
