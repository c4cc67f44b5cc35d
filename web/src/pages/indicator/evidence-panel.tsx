// What was seen, as the sensors sent it.

import { useQuery } from '@tanstack/react-query';
import { getEvidence } from '../../api/one-indicator.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { HostileText } from '../../parts/hostile-text.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { INDICATOR } from '../../text/indicator.ts';
import { PARTS } from '../../text/parts.ts';
import { Panel } from './panel.tsx';

export function EvidencePanel({ id }: { readonly id: string }) {
  const evidence = useQuery({
    queryKey: ['indicator', id, 'evidence'],
    queryFn: ({ signal }) => getEvidence(id, { signal }),
  });
  const rows = (evidence.data?.seen ?? []).flatMap(({ key, values }) =>
    values.map((value) => ({ key, ...value })),
  );
  const dropped = evidence.data?.droppedCount ?? '0';
  return (
    <Panel title={INDICATOR.evidence}>
      {evidence.isPending && <p className="soft">{PARTS.loading}</p>}
      {evidence.isError && <ErrorState error={evidence.error} onRetry={() => void evidence.refetch()} />}
      {evidence.isSuccess && rows.length === 0 && <p className="soft">{INDICATOR.noEvidence}</p>}
      {rows.length > 0 && (
        <Table
          caption={INDICATOR.evidence}
          rows={rows}
          rowKey={({ key, value }) => `${key} ${value}`}
          columns={[
            {
              key: 'key',
              title: INDICATOR.evidenceKey,
              cell: ({ key }) => (
                <span className="indicator-name">
                  <HostileText text={key} limit={64} />
                </span>
              ),
            },
            {
              key: 'value',
              title: INDICATOR.value,
              cell: ({ value }) => (
                <code className="indicator-seen">
                  <HostileText text={value} limit={160} />
                </code>
              ),
            },
            { key: 'count', title: INDICATOR.count, end: true, cell: ({ count }) => count },
            { key: 'last', title: INDICATOR.lastSeen, cell: ({ lastSeen }) => <Time at={lastSeen} /> },
          ]}
        />
      )}
      {dropped !== '0' && <p className="soft">{INDICATOR.dropped(dropped)}</p>}
    </Panel>
  );
}
