// Numbers as ProtoJSON writes them, in a JSON number or in a string. They are judged by value, exactly: `70`, `70.0`,
// `7e1` and `"7e1"` are one number, and no digit of a uint64 is lost.

const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const SHORT_INTEGER = /^(?:0|[1-9]\d{0,14})$/;
/** Digits of the largest 64-bit number. */
const MAX_DIGITS = 20;

/** The whole number that a text stands for; undefined when it is no number, not whole, or far beyond 64 bits. */
export function parseWhole(text: string): bigint | undefined {
  if (SHORT_INTEGER.test(text)) return BigInt(text);
  const parts = NUMBER.exec(text);
  if (parts === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const digits = whole + fraction;
  const first = firstNonZero(digits);
  if (first === digits.length) return 0n;
  const end = endOfNonZero(digits);
  // value = significant × 10^shift; whole unless digits are left behind the point.
  const shift = Number(exponent) - fraction.length + (digits.length - end);
  if (shift < 0 || end - first + shift > MAX_DIGITS) return undefined;
  const magnitude = BigInt(digits.slice(first, end) + '0'.repeat(shift));
  return sign === '-' ? -magnitude : magnitude;
}

/** A finite double; undefined when it is no number or beyond the range. */
export function parseDouble(text: string): number | undefined {
  if (!NUMBER.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

// Loops instead of /0+$/, which takes quadratic time on a long row of zeros that does not end the text.
function firstNonZero(digits: string): number {
  let at = 0;
  while (at < digits.length && digits.charCodeAt(at) === 0x30) at++;
  return at;
}

function endOfNonZero(digits: string): number {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end--;
  return end;
}
