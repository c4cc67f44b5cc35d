// The state of the queue: what is loaded, what is judged already, what is selected, and the acts.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ThreatIndicator, TlpMarking } from '../../api/contract.ts';
import { searchIndicators } from '../../api/indicators.ts';
import { confirmIndicator, disputeIndicator } from '../../api/one-indicator.ts';
import { defang } from '../../parts/defang.ts';
import { cutText, visibleText } from '../../parts/hostile-text.ts';
import { showToast } from '../../parts/toasts.ts';
import { QUEUE } from '../../text/queue.ts';
import { type Batch, type Failure, HeldActs, sendAll } from './held-acts.ts';
import { type QueueQuery, requestOf } from './queue-query.ts';

const NONE: ReadonlySet<string> = new Set();

/** The value of an indicator as a message or a label shows it. */
export function nameOf({ type, value }: Pick<ThreatIndicator, 'type' | 'value'>): string {
  return cutText(visibleText(defang(type, value)), 60).text;
}

export function useQueue(query: QueueQuery) {
  const client = useQueryClient();
  const loaded = useQuery({
    queryKey: ['queue', query],
    queryFn: ({ signal }) => searchIndicators(requestOf(query, Date.now()), { signal }),
    // Each load is billed, so only a person loads again.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const [judged, setJudged] = useState(NONE);
  const [selected, setSelected] = useState(NONE);
  const acts = useRef(new HeldActs());
  useLeaving(acts.current);

  const all = loaded.data?.indicators;
  const rows = useMemo(() => (all ?? []).filter(({ id }) => !judged.has(id)), [all, judged]);

  const takeOut = (ids: readonly string[]) => {
    setJudged((before) => new Set([...before, ...ids]));
    setSelected((before) => without(before, ids));
  };
  const putBack = (ids: readonly string[]) => setJudged((before) => without(before, ids));
  const settle = (ids: readonly string[], failed: readonly Failure[]) => {
    for (const id of ids) void client.invalidateQueries({ queryKey: ['indicator', id] });
    const [first] = failed;
    if (first === undefined) return;
    putBack(failed.map(({ id }) => id));
    showToast(
      QUEUE.failed(failed.length, String(first.error instanceof Error ? first.error.message : first.error)),
      'bad',
    );
  };
  const undo = async () => {
    const undone = acts.current.undo();
    if (undone === undefined) {
      showToast(QUEUE.nothingToUndo, 'bad');
      return;
    }
    const { ids, what } = undone.batch;
    const failed = await undone.failed;
    const stuck = new Set(failed.map(({ id }) => id));
    putBack(ids.filter((id) => !stuck.has(id)));
    settle(ids, []);
    const [first] = failed;
    if (first === undefined) showToast(QUEUE.undone(what));
    else showToast(first.error instanceof Error ? first.error.message : String(first.error), 'bad');
  };
  const offerUndo = { text: QUEUE.undo, run: () => void undo() };
  const batchOf = (chosen: readonly ThreatIndicator[]): Batch => {
    const [first] = chosen;
    const what = chosen.length === 1 && first !== undefined ? nameOf(first) : QUEUE.many(chosen.length);
    return { ids: chosen.map(({ id }) => id), what };
  };

  return {
    loaded,
    rows,
    selected,
    select: setSelected,
    batchOf,
    undo,
    confirm: (chosen: readonly ThreatIndicator[]) => {
      const batch = batchOf(chosen);
      takeOut(batch.ids);
      acts.current.hold(batch, confirmIndicator, (failed) => settle(batch.ids, failed));
      showToast(QUEUE.confirming(batch.what), 'good', offerUndo);
    },
    dispute: async (chosen: readonly ThreatIndicator[], reason: string, tlp: TlpMarking) => {
      const batch = batchOf(chosen);
      takeOut(batch.ids);
      const failed = await sendAll(batch.ids, (id) => disputeIndicator(id, { reason, tlp }));
      const stuck = new Set(failed.map(({ id }) => id));
      const ids = batch.ids.filter((id) => !stuck.has(id));
      if (ids.length > 0) {
        acts.current.note({ ...batch, ids }, (id) => disputeIndicator(id, { undo: true }));
        showToast(QUEUE.disputed(batch.what), 'good', offerUndo);
      }
      settle(batch.ids, failed);
    },
    reload: () => {
      acts.current.flush();
      setJudged(NONE);
      setSelected(NONE);
      void loaded.refetch();
    },
  };
}

/** Sends what is held when the page is left, and asks before the tab is closed. */
function useLeaving(acts: HeldActs): void {
  useEffect(() => {
    const onClose = (event: BeforeUnloadEvent) => {
      if (acts.isHolding) event.preventDefault();
    };
    addEventListener('beforeunload', onClose);
    return () => {
      removeEventListener('beforeunload', onClose);
      acts.flush();
    };
  }, [acts]);
}

function without(ids: ReadonlySet<string>, gone: readonly string[]): ReadonlySet<string> {
  const left = new Set(ids);
  for (const id of gone) left.delete(id);
  return left;
}
