// Who reported the indicator.

import type { ThreatSource } from '../../api/contract.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { INDICATOR } from '../../text/indicator.ts';
import { Panel } from './panel.tsx';

export function SourcesPanel({ sources }: { readonly sources: readonly ThreatSource[] }) {
  return (
    <Panel title={INDICATOR.sources}>
      <Table
        caption={INDICATOR.sources}
        rows={sources}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'name',
            title: INDICATOR.source,
            cell: ({ id, name }) => <HostileText text={name === '' ? id : name} limit={80} />,
          },
          {
            key: 'reliability',
            title: INDICATOR.reliability,
            end: true,
            cell: ({ reliability }) => reliability.toFixed(2),
          },
          { key: 'at', title: INDICATOR.reportedAt, cell: ({ reportedAt }) => <Time at={reportedAt} /> },
        ]}
      />
    </Panel>
  );
}
