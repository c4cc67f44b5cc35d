// Events of the last hour by protocol and by intent: a chart and a table each.

import { lazy, Suspense } from 'react';
import type { LiveFigures } from '../../api/live.ts';
import { useTheme } from '../../app/theme.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { LIVE } from '../../text/live.ts';
import { PROTOCOL_WORDS } from '../../text/words.ts';
import { type MinuteSum, minutesOf, sumsBy } from './minute-sums.ts';

const StackedMinutes = lazy(() =>
  import('../../parts/chart/stacked-minutes.tsx').then((file) => ({ default: file.StackedMinutes })),
);

export function Events({ figures }: { readonly figures: LiveFigures }) {
  const protocols = sumsBy(figures, ({ protocol }) => protocolName(protocol));
  const intents = sumsBy(figures, ({ intent }) => LIVE.intents[intent] ?? intent);
  return (
    <section className="live-events" aria-labelledby="live-events">
      <h2 id="live-events">{LIVE.events}</h2>
      <p className="soft">{protocols.length === 0 ? LIVE.noEvents : LIVE.eventsHint}</p>
      {protocols.length > 0 && (
        <div className="live-pair">
          <Sums title={LIVE.byProtocol} figures={figures} sums={protocols} />
          <Sums title={LIVE.byIntent} figures={figures} sums={intents} />
        </div>
      )}
    </section>
  );
}

interface SumsProps {
  readonly title: string;
  readonly figures: LiveFigures;
  readonly sums: readonly MinuteSum[];
}

function Sums({ title, figures, sums }: SumsProps) {
  const theme = useTheme();
  const columns: readonly Column<MinuteSum & { readonly place: number }>[] = [
    {
      key: 'name',
      title: LIVE.name,
      cell: ({ name, place }) => <span className={`live-key live-key-${place}`}>{name}</span>,
    },
    { key: 'last5', title: LIVE.minutes5, end: true, cell: ({ last5 }) => last5.toLocaleString('en') },
    { key: 'hour', title: LIVE.hour, end: true, cell: ({ hour }) => hour.toLocaleString('en') },
  ];
  return (
    <div className="live-sums panel">
      <h3>{title}</h3>
      <Suspense fallback={<div className="live-chart-place" />}>
        <StackedMinutes label={LIVE.chart(title)} minutes={minutesOf(figures)} series={sums} theme={theme} />
      </Suspense>
      <Table
        caption={`${LIVE.events}, ${title}`}
        columns={columns}
        rows={sums.map((sum, index) => ({ ...sum, place: index + 1 }))}
        rowKey={({ name }) => name}
      />
    </div>
  );
}

function protocolName(protocol: string): string {
  const name = `PROTOCOL_${protocol}`;
  return name in PROTOCOL_WORDS ? PROTOCOL_WORDS[name as keyof typeof PROTOCOL_WORDS] : protocol;
}
