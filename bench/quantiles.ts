// Quantiles of measured values, and how much their rounds scatter.

/** The smallest value that at least this share of the values does not exceed. NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The middle value; of an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [lower, upper] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return lower === undefined || upper === undefined ? Number.NaN : (lower + upper) / 2;
}

/** The standard error of the mean of several rounds, as a share of that mean: 0 for a single round. */
export function relativeError(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = sum(values) / values.length;
  const variance = sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1);
  return variance === 0 ? 0 : Math.sqrt(variance / values.length) / Math.abs(mean);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
