// Sightings over time: a bar for each day, by source, and the same numbers as a table.

import type { Sighting, ThreatIndicator } from '../../api/contract.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { Table } from '../../parts/table.tsx';
import { INDICATOR } from '../../text/indicator.ts';
import { Panel } from './panel.tsx';

const WIDTH = 720;
const HEIGHT = 110;
const DAY_MS = 86_400_000;
/** Colours for the sources with most sightings. The others share one. */
const SERIES = 5;
/** Days in the picture. */
const MOST_DAYS = 120;

interface Row {
  readonly day: string;
  readonly sourceId: string;
  readonly count: number;
}

export function SightingsPanel({ indicator }: { readonly indicator: ThreatIndicator }) {
  const { sightings, sources } = indicator;
  const rows = sightings.flatMap(rowOf);
  const names = new Map(sources.map(({ id, name }) => [id, name === '' ? id : name]));
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const ranked = rankedSources(rows);
  return (
    <Panel
      title={INDICATOR.sightings}
      aside={<span className="soft">{`${INDICATOR.total}: ${total.toLocaleString('en')}`}</span>}
    >
      <Bars rows={rows} ranked={ranked} />
      <Table
        caption={INDICATOR.sightings}
        rows={rows.slice(0, 100)}
        rowKey={({ day, sourceId }) => `${day} ${sourceId}`}
        columns={[
          { key: 'day', title: INDICATOR.day, cell: ({ day }) => day },
          {
            key: 'source',
            title: INDICATOR.source,
            cell: ({ sourceId }) => (
              <span className={`sightings-key sightings-series-${seriesOf(ranked, sourceId)}`}>
                <HostileText text={names.get(sourceId) ?? sourceId} limit={60} />
              </span>
            ),
          },
          {
            key: 'count',
            title: INDICATOR.count,
            end: true,
            cell: ({ count }) => count.toLocaleString('en'),
          },
        ]}
      />
    </Panel>
  );
}

function rowOf({ sourceId, observedAt, count }: Sighting): readonly Row[] {
  return observedAt === undefined ? [] : [{ day: observedAt.slice(0, 10), sourceId, count: Number(count) }];
}

/** The source with most sightings first. */
function rankedSources(rows: readonly Row[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const { sourceId, count } of rows) sums.set(sourceId, (sums.get(sourceId) ?? 0) + count);
  return [...sums].sort((one, other) => other[1] - one[1]).map(([id]) => id);
}

/** 1 to 6. */
function seriesOf(ranked: readonly string[], sourceId: string): number {
  return Math.min(SERIES, ranked.indexOf(sourceId)) + 1;
}

function Bars({ rows, ranked }: { readonly rows: readonly Row[]; readonly ranked: readonly string[] }) {
  const days = rows.map(({ day }) => Date.parse(day));
  const last = Math.max(...days);
  const first = Math.max(Math.min(...days), last - (MOST_DAYS - 1) * DAY_MS);
  const count = Math.round((last - first) / DAY_MS) + 1;
  const shown = Math.max(14, count);
  const byDay = new Map<number, Row[]>();
  for (const row of rows) {
    const at = Math.round((Date.parse(row.day) - first) / DAY_MS);
    if (at >= 0) byDay.set(at, [...(byDay.get(at) ?? []), row]);
  }
  const most = Math.max(1, ...[...byDay.values()].map(sumOf));
  const step = WIDTH / shown;
  const offset = shown - count;
  return (
    <svg
      className="sightings"
      viewBox={`0 0 ${WIDTH} ${HEIGHT + 14}`}
      role="img"
      aria-label={INDICATOR.sightingsPicture}
    >
      <line className="sightings-axis" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
      {[...byDay].map(([at, ofDay]) => {
        let y = HEIGHT;
        return ofDay
          .toSorted((one, other) => ranked.indexOf(one.sourceId) - ranked.indexOf(other.sourceId))
          .map(({ day, sourceId, count: seen }) => {
            const height = Math.max(2, (seen * (HEIGHT - 4)) / most);
            y -= height;
            return (
              <rect
                key={`${day} ${sourceId}`}
                className={`sightings-series-${seriesOf(ranked, sourceId)}`}
                x={(at + offset) * step + 1}
                y={y}
                width={Math.max(1, step - 2)}
                height={height}
              >
                <title>{`${day}: ${seen.toLocaleString('en')}`}</title>
              </rect>
            );
          });
      })}
      <text x="0" y={HEIGHT + 12}>
        {new Date(first - offset * DAY_MS).toISOString().slice(0, 10)}
      </text>
      <text x={WIDTH} y={HEIGHT + 12} textAnchor="end">
        {new Date(last).toISOString().slice(0, 10)}
      </text>
    </svg>
  );
}

function sumOf(rows: readonly Row[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0);
}
