// What of the evidence a summary quotes: a few values of the keys that tell a reader most. They are part of each view, so a
// reader's summary quotes only what its reports say. Everything that was seen is kept apart (kept-evidence.ts).
//
// Of each key the best values stay: those of the most reliable source, then what tells most, then the earliest. So nobody
// displaces what a more reliable source saw, the result does not depend on the order of the reports, and repetition
// changes nothing, which would be a new version in the feed each time.

import type { Instant } from '../instant.ts';
import { compareText } from '../sorted-list.ts';

import type { Entry } from './tally.ts';

/** Short names, since every record has some. */
export interface Highlight {
  /** One of evidence-key.ts. */
  readonly key: string;
  readonly value: string;
  /** Reliability of the source that saw it. */
  readonly by: number;
  /** Its earliest observation by a source of this reliability. */
  readonly at: Instant;
}

/** Values that are quoted at most, by key. */
const LIMITS: ReadonlyMap<string, number> = new Map([
  ['destination.port', 3],
  ['command.input', 1],
  ['http.path', 1],
  ['http.user_agent', 1],
  ['file.download', 1],
  ['file.name', 1],
  ['login.user', 2],
  ['client.version', 1],
  ['alert.rule', 1],
  ['exploit.cve', 1],
]);

/** Characters of a value. The kept evidence has more. */
const VALUE_CHARACTERS = 100;

/** What shows what an attacker is after, in commands and requests. */
const TELLING =
  /wget|curl|ftpget|tftp|chmod|base64|\/dev\/tcp|authorized_keys|crontab|iptables|xmrig|stratum|\.\.\/|\$\{|\(\) ?\{|<\?|cmd=/i;
/** Of a longer text before the telling part, only an ellipsis is left. */
const PREFACE = 40;

export function withHighlights(
  known: readonly Highlight[],
  seen: readonly Entry[],
  by: number,
  at: Instant,
): readonly Highlight[] {
  let result = known;
  for (const { key, value } of seen) {
    const limit = LIMITS.get(key);
    if (limit === undefined) continue;
    result = withOne(result, { key, value: excerptOf(value), by, at }, limit);
  }
  return result;
}

/** The values of a key, the best first. */
export function highlighted(highlights: readonly Highlight[], key: string): readonly string[] {
  return highlights.flatMap((one) => (one.key === key ? [one.value] : []));
}

/** Sorted by key, then the best first. */
function withOne(known: readonly Highlight[], one: Highlight, limit: number): readonly Highlight[] {
  const same = known.findIndex(({ key, value }) => key === one.key && value === one.value);
  const other = known[same];
  if (other !== undefined && compareHighlights(other, one) <= 0) return known;
  const rest = other === undefined ? known : known.toSpliced(same, 1);
  const found = rest.findIndex((item) => compareHighlights(item, one) > 0);
  const place = found < 0 ? rest.length : found;
  if (rest.filter(({ key }) => key === one.key).length < limit) return rest.toSpliced(place, 0, one);
  const last = rest.findLastIndex(({ key }) => key === one.key);
  return place > last ? known : rest.toSpliced(last, 1).toSpliced(place, 0, one);
}

function compareHighlights(a: Highlight, b: Highlight): number {
  return (
    compareText(a.key, b.key) ||
    b.by - a.by ||
    Number(TELLING.test(b.value)) - Number(TELLING.test(a.value)) ||
    a.at - b.at ||
    compareText(a.value, b.value)
  );
}

function excerptOf(text: string): string {
  if (text.length <= VALUE_CHARACTERS) return text;
  const telling = text.search(TELLING);
  const start = telling > PREFACE ? telling : 0;
  const cut = text.slice(start, start + VALUE_CHARACTERS).toWellFormed();
  return `${start > 0 ? '…' : ''}${cut}${start + VALUE_CHARACTERS < text.length ? '…' : ''}`;
}
