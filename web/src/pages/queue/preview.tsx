// The chosen row at more length, so that most decisions need no other page.

import { Link } from 'wouter';
import type { ThreatIndicator } from '../../api/contract.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { Time } from '../../parts/time.tsx';
import { TlpChip } from '../../parts/tlp-chip.tsx';
import { Value } from '../../parts/value.tsx';
import { QUEUE } from '../../text/queue.ts';
import { ALIKE, type Alike, alikeOf } from './alike.ts';

interface Props {
  readonly chosen: ThreatIndicator | undefined;
  readonly rows: readonly ThreatIndicator[];
  readonly onAlike: (ids: readonly string[]) => void;
}

export function Preview({ chosen, rows, onAlike }: Props) {
  return (
    <aside className="panel queue-preview" aria-label={QUEUE.preview}>
      {chosen === undefined ? (
        <p className="soft">{QUEUE.previewEmpty}</p>
      ) : (
        <Chosen chosen={chosen} rows={rows} onAlike={onAlike} />
      )}
      <dl className="queue-keys" aria-label={QUEUE.keysTitle}>
        {QUEUE.keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className="soft">{QUEUE.undoHint}</p>
    </aside>
  );
}

function Chosen({ chosen, rows, onAlike }: Omit<Props, 'chosen'> & { readonly chosen: ThreatIndicator }) {
  const { id, type, value, tlp, enrichment, tags, lastSeen, sources } = chosen;
  const techniques = enrichment?.attackTechniques ?? [];
  const asn = enrichment?.asn;
  const alike = (by: Alike) => alikeOf(chosen, rows, by);
  return (
    <>
      <h2>
        <Value type={type} value={value} limit={120} />
      </h2>
      <p>
        <TlpChip tlp={tlp} /> <Link href={`/indicators/${id}`}>{QUEUE.open}</Link>
      </p>
      <p>
        <HostileText text={enrichment?.aiSummary ?? ''} limit={900} />
      </p>
      <p className="soft">
        {`${QUEUE.lastSeen}: `}
        <Time at={lastSeen} />
        {`. ${QUEUE.source}: `}
        <HostileText text={sources.map(({ name }) => name).join(', ')} limit={120} />
      </p>
      {techniques.length > 0 && <p className="soft">{`${QUEUE.techniques}: ${techniques.join(', ')}`}</p>}
      {asn !== undefined && (
        <p className="soft">
          {QUEUE.network}: <HostileText text={`AS${asn.number} ${asn.organization}`} limit={80} />
        </p>
      )}
      {tags.length > 0 && (
        <p className="queue-tags">
          {tags.slice(0, 12).map((tag) => (
            <span key={tag} className="chip">
              <HostileText text={tag} limit={40} brief />
            </span>
          ))}
        </p>
      )}
      <fieldset className="queue-alike">
        <legend className="soft">{QUEUE.alike}</legend>
        {ALIKE.map((by) => {
          const ids = alike(by);
          return (
            <button
              key={by}
              type="button"
              className="button small"
              disabled={ids.length < 2}
              onClick={() => onAlike(ids)}
            >
              {`${QUEUE.alikes[by]} (${ids.length})`}
            </button>
          );
        })}
      </fieldset>
    </>
  );
}
