// Two sums over the dates of a page. They stand for the dates where an entity tag needs them: a hash over the text of a
// thousand dates takes longer than finding them.

/** Each below 2^32. The second one is not linear, so that pages with the same first sum differ in it. */
export type DateSums = readonly [plain: number, mixed: number];

export const NO_DATES: DateSums = [0, 0];

const LIMIT = 2 ** 32;
/** The square of a number with 26 bits is exact, here and in SQL. */
const SQUARED = 2 ** 26;

/** @param date added, in microseconds. */
export function sumsOfDate(date: number): DateSums {
  const low = date % SQUARED;
  return [date % LIMIT, (low * low) % LIMIT];
}

export function addSums([a, b]: DateSums, [c, d]: DateSums): DateSums {
  return [(a + c) % LIMIT, (b + d) % LIMIT];
}
