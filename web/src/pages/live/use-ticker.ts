// The latest indicators: those of a search at first, then as they come.

import { useCallback, useEffect, useRef, useState } from 'react';
import type { ThreatIndicator } from '../../api/contract.ts';
import { searchIndicators } from '../../api/indicators.ts';
import { watchIndicators } from '../../api/watch.ts';

export type Connection = 'connecting' | 'connected' | 'lost' | 'ended';

export interface TickerState {
  readonly connection: Connection;
  /** The newest first. */
  readonly shown: readonly ThreatIndicator[];
  /** Come since the pause began; undefined while it goes on. */
  readonly waiting: number | undefined;
  /** Come lately, for screen readers: said at most once in some seconds. */
  readonly announced: number;
  readonly hasGap: boolean;
  /** Whether the first ones have been asked for. */
  readonly isReady: boolean;
  readonly onPause: (paused: boolean) => void;
}

const MOST = 60;
const FIRST = 20;
/** A flood must not render every event. */
const STEP_MS = 250;
const ANNOUNCE_MS = 5_000;

export function useTicker(): TickerState {
  const [connection, setConnection] = useState<Connection>('connecting');
  const [shown, setShown] = useState<readonly ThreatIndicator[]>([]);
  const [waiting, setWaiting] = useState<number>();
  const [announced, setAnnounced] = useState(0);
  const [hasGap, setHasGap] = useState(false);
  const [isReady, setIsReady] = useState(false);
  const latest = useRef<readonly ThreatIndicator[]>([]);
  const paused = useRef(false);
  const come = useRef({ sincePause: 0, sinceAnnounced: 0, isChanged: false });

  const show = useCallback(() => {
    come.current.isChanged = false;
    if (paused.current) setWaiting(come.current.sincePause);
    else setShown(latest.current);
  }, []);

  useEffect(() => {
    const abort = new AbortController();
    const first = { orderBy: 'SEARCH_ORDER_LAST_SEEN', pageSize: FIRST } as const;
    searchIndicators(first, { signal: abort.signal })
      .then(({ indicators = [] }) => {
        for (const indicator of indicators) latest.current = withIndicator(latest.current, indicator, 'end');
        show();
      })
      .catch(() => undefined)
      .finally(() => setIsReady(true));
    const stop = watchIndicators([], {
      onReady: () => setConnection('connected'),
      onLost: () => setConnection('lost'),
      onEnd: () => setConnection('ended'),
      onGap: () => setHasGap(true),
      onIndicator: (indicator) => {
        latest.current = withIndicator(latest.current, indicator, 'start');
        come.current.sincePause += 1;
        come.current.sinceAnnounced += 1;
        come.current.isChanged = true;
      },
      onRemoved: (id) => {
        latest.current = latest.current.filter((one) => one.id !== id);
        come.current.isChanged = true;
      },
    });
    const step = setInterval(() => come.current.isChanged && show(), STEP_MS);
    const announce = setInterval(() => {
      setAnnounced(paused.current ? 0 : come.current.sinceAnnounced);
      come.current.sinceAnnounced = 0;
    }, ANNOUNCE_MS);
    return () => {
      abort.abort();
      stop();
      clearInterval(step);
      clearInterval(announce);
    };
  }, [show]);

  const onPause = useCallback(
    (isPaused: boolean) => {
      paused.current = isPaused;
      come.current.sincePause = 0;
      setWaiting(isPaused ? 0 : undefined);
      if (!isPaused) show();
    },
    [show],
  );
  return { connection, shown, waiting, announced, hasGap, isReady, onPause };
}

function withIndicator(
  list: readonly ThreatIndicator[],
  indicator: ThreatIndicator,
  place: 'start' | 'end',
): readonly ThreatIndicator[] {
  const others = list.filter(({ id }) => id !== indicator.id);
  // What came by the stream is newer than what a search found.
  if (place === 'end') return others.length < list.length ? list : [...list, indicator].slice(0, MOST);
  return [indicator, ...others].slice(0, MOST);
}
