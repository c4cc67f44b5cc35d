// How many indicators were last seen on each of the latest days: small bars, with the same as a table for who cannot see.

import type { HistogramBucket } from '../../api/contract.ts';
import { useNow } from '../../parts/clock.ts';
import { SEARCH } from '../../text/search.ts';

const DAYS = 60;
const DAY = 86_400_000;
const HEIGHT = 34;
const STEP = 3.5;

export function Histogram({ buckets }: { readonly buckets: readonly HistogramBucket[] }) {
  const today = Math.floor(useNow() / DAY);
  const counts = new Map(
    buckets.map(({ start, count }) => [Math.floor(Date.parse(start ?? '') / DAY), Number(count)]),
  );
  const days = Array.from({ length: DAYS }, (_, at) => {
    const day = today - DAYS + 1 + at;
    return { day, count: counts.get(day) ?? 0 };
  });
  const most = Math.max(1, ...days.map(({ count }) => count));
  const filled = days.filter(({ count }) => count > 0);
  if (filled.length === 0) return null;
  return (
    <figure className="rail-histogram">
      <svg viewBox={`0 0 ${DAYS * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {days.map(({ day, count }, at) => {
          // A single indicator can still be seen beside a thousand.
          const height = count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT);
          return <rect key={day} x={at * STEP} y={HEIGHT - height} width={STEP - 0.7} height={height} />;
        })}
      </svg>
      <figcaption className="soft">
        <span>{dateOf(days[0]?.day ?? 0)}</span>
        <span>{dateOf(today)}</span>
      </figcaption>
      <table className="hidden-text">
        <caption>{SEARCH.histogram}</caption>
        <tbody>
          {filled.map(({ day, count }) => (
            <tr key={day}>
              <th scope="row">{dateOf(day)}</th>
              <td>{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function dateOf(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}
