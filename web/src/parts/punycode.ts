// Punycode (RFC 3492 §6.2): the letters of a domain label.

const BASE = 36;

/** @param label without `xn--`. @returns undefined when it is not valid. */
export function decodePunycode(label: string): string | undefined {
  const split = label.lastIndexOf('-');
  const output = [...label.slice(0, Math.max(0, split))].map((letter) => letter.codePointAt(0) ?? 0);
  let [code, index, bias] = [128, 0, 72];
  for (let at = split + 1; at < label.length; ) {
    const before = index;
    let weight = 1;
    for (let step = BASE; ; step += BASE) {
      const digit = digitOf(label.charCodeAt(at++));
      if (digit === undefined) return undefined;
      index += digit * weight;
      const threshold = Math.min(26, Math.max(1, step - bias));
      if (digit < threshold) break;
      weight *= BASE - threshold;
      if (weight > 2 ** 31) return undefined;
    }
    bias = adapt(index - before, output.length + 1, before === 0);
    code += Math.floor(index / (output.length + 1));
    index %= output.length + 1;
    if (code > 0x10ffff) return undefined;
    output.splice(index++, 0, code);
  }
  return String.fromCodePoint(...output);
}

function digitOf(code: number): number | undefined {
  if (code >= 48 && code <= 57) return code - 22;
  const letter = (code | 32) - 97;
  return letter >= 0 && letter < 26 ? letter : undefined;
}

function adapt(delta: number, count: number, first: boolean): number {
  let rest = first ? Math.floor(delta / 700) : Math.floor(delta / 2);
  rest += Math.floor(rest / count);
  let steps = 0;
  for (; rest > 455; steps += BASE) rest = Math.floor(rest / 35);
  return steps + Math.floor((36 * rest) / (rest + 38));
}
