// A plot of lines as SVG, with logarithmic axes.

export interface Series {
  readonly name: string;
  /** Positive numbers. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

const WIDTH = 720;
const HEIGHT = 400;
const BOX = { left: 60, top: 40, right: WIDTH - 190, bottom: HEIGHT - 45 };
/** Distinct in a print without colours by their order in the legend. */
const COLOURS = ['#1f6feb', '#d1242f', '#1a7f37', '#9a6700', '#8250df', '#0a7ea4', '#57606a', '#bf3989'];

export function plotSvg(title: string, xTitle: string, series: readonly Series[]): string {
  const points = series.flatMap((one) => one.points);
  const x = scale(
    points.map((point) => point.x),
    BOX.left,
    BOX.right,
  );
  const y = scale(
    points.map((point) => point.y),
    BOX.bottom,
    BOX.top,
  );
  const lines = series.map(({ points }, index) => {
    const path = points.map((point) => `${x.at(point.x)},${y.at(point.y)}`).join(' ');
    const dots = points
      .map((point) => `<circle cx="${x.at(point.x)}" cy="${y.at(point.y)}" r="3"/>`)
      .join('');
    const colour = COLOURS[index % COLOURS.length];
    return `<g stroke="${colour}" fill="${colour}"><polyline fill="none" points="${path}"/>${dots}</g>`;
  });
  const legend = series.map(({ name }, index) => {
    const top = BOX.top + 18 * index;
    return `<rect x="${BOX.right + 15}" y="${top}" width="10" height="10" fill="${COLOURS[index % COLOURS.length]}"/>${text(BOX.right + 31, top + 9, name)}`;
  });
  const grid = [
    ...x.ticks.map((tick) => `<path d="M${x.at(tick)} ${BOX.top}V${BOX.bottom}"/>`),
    ...y.ticks.map((tick) => `<path d="M${BOX.left} ${y.at(tick)}H${BOX.right}"/>`),
  ];
  const labels = [
    ...x.ticks.map((tick) => text(x.at(tick), BOX.bottom + 18, short(tick), 'middle')),
    ...y.ticks.map((tick) => text(BOX.left - 8, y.at(tick) + 4, short(tick), 'end')),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(BOX.left, 22, title),
    `<g stroke="#d0d7de">${grid.join('')}</g>`,
    ...labels,
    text((BOX.left + BOX.right) / 2, HEIGHT - 8, xTitle, 'middle'),
    `<g stroke-width="2">${lines.join('')}</g>`,
    ...legend,
    '</svg>\n',
  ].join('\n');
}

/** Maps values to coordinates by their logarithm. The ticks are 1, 2 and 5 times the powers of ten, or these alone. */
function scale(values: readonly number[], from: number, to: number) {
  const steps = [1, 2, 5, 10];
  const floor = (value: number) => {
    const power = 10 ** Math.floor(Math.log10(value));
    return (steps.findLast((step) => step * power <= value) ?? 1) * power;
  };
  const ceil = (value: number) => {
    const power = 10 ** Math.floor(Math.log10(value));
    return (steps.find((step) => step * power >= value) ?? 10) * power;
  };
  const [low, high] = [floor(Math.min(...values)), ceil(Math.max(...values))];
  const span = Math.log(high / low) || 1;
  const decades = Math.log10(high / low);
  const ticks: number[] = [];
  for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10)
    for (const step of decades > 2 ? [1] : [1, 2, 5]) {
      const tick = step * power;
      if (tick >= low && tick <= high) ticks.push(tick);
    }
  return {
    ticks,
    at: (value: number) => Number((from + ((to - from) * Math.log(value / low)) / span).toFixed(1)),
  };
}

/** Such as 0.5, 20k, 1M. */
function short(value: number): string {
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  return value >= 1e3 ? `${Number((value / 1e3).toPrecision(3))}k` : String(Number(value.toPrecision(3)));
}

function text(x: number, y: number, words: string, anchor = 'start'): string {
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="#24292f">${escaped}</text>`;
}
