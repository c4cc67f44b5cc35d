// Units a day, stacked by credential. A mark under a day says that requests were over a limit. The tables below the chart
// have the same numbers.

import type { DayOfRefusals } from '../../api/usage.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { USAGE } from '../../text/usage.ts';
import { dayIndex, type Series } from './use-series.ts';

interface Props {
  readonly series: readonly Series[];
  readonly refusals: readonly DayOfRefusals[];
  /** End of the last day, in milliseconds. */
  readonly end: number;
}

const WIDTH = 1_000;
const HEIGHT = 180;
const MARKS = 10;
const DAY_MS = 86_400_000;

export function UseChart({ series, refusals, end }: Props) {
  const days = series[0]?.units.length ?? 0;
  const sums = Array.from({ length: days }, (_, day) =>
    series.reduce((sum, { units }) => sum + (units[day] ?? 0), 0),
  );
  const most = Math.max(1, ...sums);
  const step = WIDTH / Math.max(1, days);
  const width = Math.max(1, step - (step > 6 ? 2 : 0));
  return (
    <figure className="usage-chart">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + MARKS}`} preserveAspectRatio="none" role="img">
        <title>{USAGE.chart}</title>
        {sums.map((sum, day) => {
          const start = new Date(end - (days - day) * DAY_MS).toISOString().slice(0, 10);
          return (
            <g key={start}>
              <title>{`${start}: ${sum.toLocaleString('en')}`}</title>
              <Stack series={series} day={day} x={day * step} width={width} scale={HEIGHT / most} />
            </g>
          );
        })}
        {refusals.map(({ start, requests }) => (
          <rect
            key={start}
            className="usage-refused"
            x={dayIndex(start, end, days) * step}
            y={HEIGHT + 3}
            width={width}
            height={MARKS - 4}
          >
            <title>{`${start.slice(0, 10)}: ${requests.toLocaleString('en')} ${USAGE.refusedMark}`}</title>
          </rect>
        ))}
      </svg>
      <figcaption className="usage-legend">
        <span className="soft">{`${most.toLocaleString('en')} a day at most`}</span>
        {series.map(({ name }, index) => (
          <span key={name} className={`usage-key usage-series-${index + 1}`}>
            <HostileText text={name} limit={40} brief />
          </span>
        ))}
        {refusals.length > 0 && <span className="usage-key usage-refused">{USAGE.refusedMark}</span>}
      </figcaption>
    </figure>
  );
}

interface StackProps {
  readonly series: readonly Series[];
  readonly day: number;
  readonly x: number;
  readonly width: number;
  /** Height of one unit. */
  readonly scale: number;
}

function Stack({ series, day, x, width, scale }: StackProps) {
  let y = HEIGHT;
  return series.map(({ name, units }, index) => {
    const height = (units[day] ?? 0) * scale;
    y -= height;
    return (
      <rect key={name} className={`usage-series-${index + 1}`} x={x} y={y} width={width} height={height} />
    );
  });
}
