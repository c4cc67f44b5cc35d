// What reports name together with the indicator: a graph, and the same as a list.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { IndicatorLink, RelatedIndicator, ThreatIndicator } from '../../api/contract.ts';
import { getRelated } from '../../api/one-indicator.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { HostileText } from '../../parts/hostile-text.tsx';
import { Severity } from '../../parts/severity.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Value } from '../../parts/value.tsx';
import { INDICATOR } from '../../text/indicator.ts';
import { PARTS } from '../../text/parts.ts';
import { LinkGraph } from './link-graph.tsx';
import { Panel } from './panel.tsx';

interface Row {
  readonly link: IndicatorLink;
  readonly other: RelatedIndicator;
}

export function LinksPanel({ of }: { readonly of: ThreatIndicator }) {
  const [hops, setHops] = useState(1);
  const related = useQuery({
    queryKey: ['indicator', of.id, 'related', hops],
    queryFn: ({ signal }) => getRelated(of.id, hops, { signal }),
    placeholderData: (before) => before,
  });
  const { indicators = [], links = [], truncated = false } = related.data ?? {};
  const byId = new Map(indicators.map((one) => [one.id, one]));
  const rows = links.flatMap((link): readonly Row[] => {
    const other =
      byId.get(link.sourceId === of.id ? link.targetId : link.sourceId) ?? byId.get(link.targetId);
    return other === undefined ? [] : [{ link, other }];
  });
  return (
    <Panel
      title={INDICATOR.links}
      aside={
        <label className="indicator-hops">
          <input
            type="checkbox"
            checked={hops === 2}
            onChange={(event) => setHops(event.target.checked ? 2 : 1)}
          />
          {INDICATOR.twoHops}
        </label>
      }
    >
      {related.isPending && <p className="soft">{PARTS.loading}</p>}
      {related.isError && <ErrorState error={related.error} onRetry={() => void related.refetch()} />}
      {related.isSuccess && rows.length === 0 && <p className="soft">{INDICATOR.noLinks}</p>}
      {rows.length > 0 && (
        <>
          <LinkGraph of={of} indicators={indicators} links={links} />
          <Table
            caption={INDICATOR.links}
            rows={rows}
            rowKey={({ link }) => `${link.kind} ${link.sourceId} ${link.targetId}`}
            columns={[
              {
                key: 'kind',
                title: INDICATOR.linkKind,
                cell: ({ link }) => (
                  <span className="indicator-name">
                    <HostileText text={link.kind} limit={40} />
                  </span>
                ),
              },
              {
                key: 'other',
                title: INDICATOR.other,
                cell: ({ other }) => (
                  <Link href={`/indicators/${other.id}`} data-row>
                    <Value type={other.type} value={other.value} limit={70} brief />
                  </Link>
                ),
              },
              {
                key: 'severity',
                title: 'Severity',
                cell: ({ other }) => <Severity severity={other.severity} />,
              },
              { key: 'count', title: INDICATOR.count, end: true, cell: ({ link }) => link.count },
              { key: 'last', title: INDICATOR.lastSeen, cell: ({ link }) => <Time at={link.lastSeen} /> },
            ]}
          />
        </>
      )}
      {truncated && <p className="soft">{INDICATOR.truncated}</p>}
    </Panel>
  );
}
