// Metrics in the Prometheus text format 0.0.4. Counters and histograms keep their values; gauges are read at each scrape.
//
// A hot path calls `with(...)` once for each set of label values and keeps the series. Counting is then an addition.

export const METRICS_MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export interface Counter {
  add(amount?: number): void;
}

export interface Histogram {
  observe(value: number): void;
}

/** All series of one metric. A series has one value for each label, in the order of declaration. */
export interface Family<Series> {
  with(...values: readonly string[]): Series;
}

/** One reading of a gauge. */
export interface Reading {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Description {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
}

/** Name and labels of a sample, as they are written, and its value. */
type Sample = readonly [series: string, value: number];

interface Declared extends Description {
  readonly samples: () => Promise<readonly Sample[]>;
}

/** What the metrics of a thread show at one moment, as plain values. */
export type MetricsSnapshot = readonly MetricSnapshot[];

interface MetricSnapshot extends Description {
  readonly samples: readonly Sample[];
}

export class Metrics {
  readonly #declared: Declared[] = [];
  readonly #elsewhere: (() => Promise<MetricsSnapshot>)[] = [];

  counter(name: string, help: string, labels: readonly string[] = []): Family<Counter> {
    const { family, series } = familyOf(labels, (): { value: number } & Counter => ({
      value: 0,
      add(amount = 1) {
        this.value += amount;
      },
    }));
    this.#declared.push({
      name,
      help,
      type: 'counter',
      samples: async () => [...series].map(([text, { value }]) => sample(name, text, value)),
    });
    return family;
  }

  /** @param bounds upper bounds of the buckets, ascending, without infinity. */
  histogram(
    name: string,
    help: string,
    bounds: readonly number[],
    labels: readonly string[] = [],
  ): Family<Histogram> {
    const { family, series } = familyOf(labels, () => new Buckets(bounds));
    this.#declared.push({
      name,
      help,
      type: 'histogram',
      samples: async () => [...series].flatMap(([text, buckets]) => buckets.samples(name, text)),
    });
    return family;
  }

  /**
   * @param read is called at every scrape. If it fails, the metric is left out. Prometheus then knows that the value is
   *   unknown; a zero would be wrong.
   */
  gauge(name: string, help: string, read: () => Promise<readonly Reading[]> | readonly Reading[]): void {
    this.#declare(name, help, 'gauge', read);
  }

  /** A counter whose value is kept elsewhere. */
  readCounter(name: string, help: string, read: () => readonly Reading[]): void {
    this.#declare(name, help, 'counter', read);
  }

  #declare(
    name: string,
    help: string,
    type: 'counter' | 'gauge',
    read: () => Promise<readonly Reading[]> | readonly Reading[],
  ): void {
    this.#declared.push({
      name,
      help,
      type,
      samples: async () => {
        const readings = await read();
        return readings.map(({ labels = {}, value }) =>
          sample(name, labelText(Object.keys(labels), Object.values(labels)), value),
        );
      },
    });
  }

  /** Adds the metrics of another thread to what is shown. Counts are added up. Of a gauge the greatest value is shown. */
  include(read: () => Promise<MetricsSnapshot>): void {
    this.#elsewhere.push(read);
  }

  /** What this thread has measured. */
  snapshot(): Promise<MetricsSnapshot> {
    return Promise.all(
      this.#declared.map(async ({ name, help, type, samples }) => {
        return { name, help, type, samples: await samples().catch((): Sample[] => []) };
      }),
    );
  }

  /** The whole exposition. */
  async text(): Promise<string> {
    const all = await Promise.all([this.snapshot(), ...this.#elsewhere.map((read) => read())]);
    return joined(all)
      .map(({ name, help, type, samples }) =>
        samples.length === 0
          ? ''
          : `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n${samples.map(line).join('')}`,
      )
      .join('');
  }
}

/** Brings the samples of several threads together. */
function joined(snapshots: readonly MetricsSnapshot[]): MetricsSnapshot {
  const [own = [], ...others] = snapshots;
  if (others.length === 0) return own;
  const families = new Map<
    string,
    { readonly family: MetricSnapshot; readonly values: Map<string, number> }
  >();
  for (const family of snapshots.flat()) {
    const known = families.get(family.name) ?? { family, values: new Map<string, number>() };
    families.set(family.name, known);
    for (const [series, value] of family.samples) {
      const before = known.values.get(series);
      const both = family.type === 'gauge' ? Math.max(before ?? value, value) : (before ?? 0) + value;
      known.values.set(series, both);
    }
  }
  return [...families.values()].map(({ family, values }) => ({ ...family, samples: [...values] }));
}

class Buckets implements Histogram {
  readonly #bounds: readonly number[];
  /** The last count is for values above the last bound. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    // Most observations fall into the first buckets, so a binary search would be slower.
    let bucket = 0;
    while (bucket < this.#bounds.length && value > (this.#bounds[bucket] ?? 0)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
  }

  samples(name: string, labels: string): Sample[] {
    let total = 0;
    const lines = [...this.#bounds, Number.POSITIVE_INFINITY].map((bound, index) => {
      total += this.#counts[index] ?? 0;
      const bucket = `${labels}${labels === '' ? '' : ','}le="${number(bound)}"`;
      return sample(`${name}_bucket`, bucket, total);
    });
    return [...lines, sample(`${name}_sum`, labels, this.#sum), sample(`${name}_count`, labels, total)];
  }
}

function familyOf<Series>(
  labels: readonly string[],
  create: () => Series,
): { family: Family<Series>; series: ReadonlyMap<string, Series> } {
  const series = new Map<string, Series>();
  const family: Family<Series> = {
    with: (...values) => {
      const text = labelText(labels, values);
      const known = series.get(text);
      if (known !== undefined) return known;
      const made = create();
      series.set(text, made);
      return made;
    },
  };
  // A metric without labels has one series. It exists from the start, so an unused counter shows 0.
  if (labels.length === 0) family.with();
  return { family, series };
}

function sample(name: string, labels: string, value: number): Sample {
  return [labels === '' ? name : `${name}{${labels}}`, value];
}

function line([series, value]: Sample): string {
  return `${series} ${number(value)}\n`;
}

function labelText(names: readonly string[], values: readonly string[]): string {
  return names.map((name, index) => `${name}="${escapeLabel(values[index] ?? '')}"`).join();
}

function number(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

function escapeHelp(help: string): string {
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
