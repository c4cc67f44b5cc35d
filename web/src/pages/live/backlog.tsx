// What waits, by stage.

import { Link } from 'wouter';
import type { LiveFigures } from '../../api/live.ts';
import { Time } from '../../parts/time.tsx';
import { LIVE } from '../../text/live.ts';

const STAGES = ['RAW', 'SCORED', 'ENRICHED'] as const;

export function Backlog({ figures: { backlog, queue } }: { readonly figures: LiveFigures }) {
  return (
    <section className="live-backlog" aria-labelledby="live-backlog">
      <h2 id="live-backlog">{LIVE.backlog}</h2>
      <p className="soft">{LIVE.backlogHint}</p>
      <dl className="live-stages">
        {STAGES.map((stage) => (
          <div key={stage} className="panel">
            <dt>{LIVE.stages[stage]}</dt>
            <dd>{backlog[stage]?.toLocaleString('en') ?? LIVE.many}</dd>
          </div>
        ))}
      </dl>
      {(backlog.ENRICHED ?? 1) > 0 && <Link href="/queue">{LIVE.toQueue}</Link>}
      {queue && (
        <div className="live-queue">
          <h3>{LIVE.queue}</h3>
          <p>
            <b>{queue.pending.toLocaleString('en')}</b> {LIVE.pending},{' '}
            <b>{queue.dead.toLocaleString('en')}</b> {LIVE.dead}.
          </p>
          {queue.oldestQueueTime !== undefined && (
            <p>
              {LIVE.oldest} <Time at={queue.oldestQueueTime} />.
            </p>
          )}
          {queue.dead > 0 && <Link href="/admin/jobs">{LIVE.toJobs}</Link>}
        </div>
      )}
    </section>
  );
}
