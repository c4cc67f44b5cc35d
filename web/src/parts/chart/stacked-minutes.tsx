// Events by minute, stacked by what they are. Whoever shows it puts a table with sums beside it, and loads it lazily.

import { useEffect, useRef } from 'react';
import UPlot, { type AlignedData, type Options, type Series } from 'uplot';
import 'uplot/dist/uPlot.min.css';
import './chart.css';

export interface MinuteSeries {
  readonly name: string;
  /** One for each minute. */
  readonly values: readonly number[];
}

interface Props {
  /** What the chart shows, for screen readers. */
  readonly label: string;
  /** Starts of the minutes in seconds since 1970. */
  readonly minutes: readonly number[];
  /** At most six. */
  readonly series: readonly MinuteSeries[];
  /** Colours are taken from the page, so the chart is made anew with another theme. */
  readonly theme: 'light' | 'dark';
}

const HEIGHT = 170;
const MINUTE_S = 60;

export function StackedMinutes({ label, minutes, series, theme }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const chart = useRef<UPlot>(undefined);
  const names = series.map(({ name }) => name).join('\n');
  const data = stacked(minutes, series);
  const latest = useRef(data);
  latest.current = data;

  // The frame of the chart depends on the series and the colours only.
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const made = new UPlot(optionsFor(names.split('\n'), element, theme), latest.current, element);
    chart.current = made;
    const resize = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      made.destroy();
      chart.current = undefined;
    };
  }, [names, theme]);
  useEffect(() => chart.current?.setData(data), [data]);

  return <div ref={frame} className="chart" role="img" aria-label={label} />;
}

/** Each series on top of those behind it; the tallest is drawn first. */
function stacked(minutes: readonly number[], series: readonly MinuteSeries[]): AlignedData {
  const sums = minutes.map(() => 0);
  const layers = series.toReversed().map(({ values }) =>
    values.map((value, index) => {
      sums[index] = (sums[index] ?? 0) + value;
      return sums[index];
    }),
  );
  return [[...minutes], ...layers.toReversed()];
}

function optionsFor(names: readonly string[], element: HTMLElement, theme: string): Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--text-soft'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
    font: `11px ${style.getPropertyValue('--font')}`,
  };
  const bars = UPlot.paths.bars?.({ size: [0.86, 40], align: 1 });
  return {
    class: `chart-${theme}`,
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      // A bar begins where its minute does.
      x: { time: true, range: (_chart, first, last) => [first, last + MINUTE_S] },
      y: { range: (_chart, _least, most) => [0, Math.max(1, most * 1.05)] },
    },
    axes: [
      { ...axis, values: (_chart, splits) => splits.map(clockTime) },
      { ...axis, size: 52 },
    ],
    series: [
      {},
      ...names.map((name, index): Series => {
        const fill = colour(`--series-${index + 1}`);
        return { label: name, fill, width: 0, points: { show: false }, ...(bars && { paths: bars }) };
      }),
    ],
  };
}

/** UTC, as all times of the application. */
function clockTime(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(11, 16);
}
