// A row of small bars beside a number that says the sum: the numbers themselves are on the page of use.

import './sparkline.css';

const WIDTH = 90;
const HEIGHT = 18;

export function Sparkline({ values }: { readonly values: readonly number[] }) {
  const most = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length);
  let at = 0;
  return (
    <svg className="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden>
      {values.map((value) => {
        const x = at;
        at += step;
        // What is not nothing is seen.
        const height = value === 0 ? 0 : Math.max(1.5, (value / most) * HEIGHT);
        return <rect key={x} x={x} y={HEIGHT - height} width={Math.max(1, step - 1)} height={height} />;
      })}
      <line x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
    </svg>
  );
}
