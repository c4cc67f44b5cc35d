// Quantiles and the spread of measured values.

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

/** How far the rounds of one figure lie apart, as a share of their median: 0 for a single round. */
export function spread(values: readonly number[]): number {
  const range = Math.max(...values) - Math.min(...values);
  return range === 0 ? 0 : range / Math.abs(median(values));
}
