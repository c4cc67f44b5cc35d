// Checks a text that a model wrote against the facts that it was given. Whatever can be checked without understanding the
// text is checked; the first fault refuses it, and the template stays.
//
//   numbers, dates, addresses, hashes, techniques   each token with a digit occurs in the facts
//   names of hosts                                  each dotted name occurs in the facts
//   names                                           each capitalised word occurs in the facts, or is a plain word
//   quotations                                      each occurs in the facts
//   judgements                                      what calls something harmless or malicious occurs in the facts
//   form                                            one short paragraph of visible characters, no link, no address to us
//
// A lower-case word that is wrong passes. So the text never changes a score or a verdict.

import { printable } from '../../../domain/printable.ts';

const LENGTHS = { least: 40, most: 900 } as const;
const SENTENCES = 5;

/** Words that may be capitalised without being a name: they begin sentences. */
const PLAIN: ReadonlySet<string> = new Set(
  (
    'a activity address addresses administrators after all also although an and another any anybody anyone as at attackers ' +
    'attempts based because before between block both but by check commands connections consider control controllers ' +
    'defenders deny do domain during each ensure evidence expect file find first for from given has have having hosts how ' +
    'however if in indicator inspect investigate is it its keep later limit logs look machines make monitor most network no ' +
    'nobody none not nothing observed on once one only operators or organisations other overall password passwords ' +
    'protect readers report reported reports restrict review search seen sensor sensors several similar since so some ' +
    'someone specifically such systems that the their then there these they this those though to traffic treat two under ' +
    'until url use users verify watch we what when where whether which while who whoever with within without you your'
  ).split(' '),
);

/** Numbers that are written as words. */
const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  (
    'three:3 four:4 five:5 six:6 seven:7 eight:8 nine:9 ten:10 eleven:11 twelve:12 dozen:12 dozens: hundred:100 ' +
    'hundreds: thousand:1,000 thousands: million:1,000,000 millions:'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

/** What judges. It must be said by the facts in the same words. */
const JUDGEMENTS =
  /\b(?:benign|harmless|safe|legitimate|trusted|trustworthy|innocent|malicious|ransomware|botnet|apt|state-sponsored|allow-?list(?:ed)?|white-?list(?:ed)?|ignore[ds]?|false positives?|not (?:a )?(?:threat|malicious|dangerous)|do not block|no (?:action|reaction|threat)|never block|unblock)\b/gi;
/** A model that speaks of itself or of its task. */
const ABOUT_ITSELF = /\b(?:I|I'm|my|me|as an AI|language model|instructions?|prompt|draft|facts? given)\b/;
const MARKUP = /[`*#<>{}|_]|\]\(|:\/\//;

/** Undefined if nothing is wrong; otherwise what is, without text that the model wrote. */
export function faultIn(text: string, facts: string): string | undefined {
  if (text.length < LENGTHS.least || text.length > LENGTHS.most)
    return `it has ${text.length} characters, not ${LENGTHS.least} to ${LENGTHS.most}`;
  if (printable(text) !== text || /[^\x20-\x7e…’–—]/.test(text))
    return 'it has characters that are not plain text';
  const unquoted = text.replace(/"[^"]*"/g, ' ');
  for (const [quotation] of text.matchAll(/"[^"]*"/g)) {
    if (!facts.includes(quotation)) return 'it quotes what the facts do not have';
  }
  if (unquoted.includes('"')) return 'a quotation has no end';
  if (MARKUP.test(unquoted)) return 'it has markup or a link';
  if (unquoted.split(/[.!?](?:\s|$)/).length - 1 > SENTENCES)
    return `it has more than ${SENTENCES} sentences`;
  if (ABOUT_ITSELF.test(unquoted)) return 'it speaks of itself or of its task';

  const known = refanged(facts).toLowerCase();
  const tokens = new Set(tokensOf(known));
  for (const token of tokensOf(refanged(unquoted))) {
    const word = token.toLowerCase();
    if (tokens.has(word)) continue;
    if (/\d/.test(token)) return 'it has a number, date or address that the facts do not have';
    if (/[a-z0-9]\.[a-z]/i.test(token)) return 'it has a host name that the facts do not have';
    const number = NUMBER_WORDS.get(word);
    if (number !== undefined && !tokens.has(number)) return 'it has a number that the facts do not have';
    if (/[A-Z]/.test(token) && !PLAIN.has(word.replace(/['’]s?$/, '')))
      return 'it has a name that the facts do not have';
  }
  for (const [judgement] of unquoted.matchAll(JUDGEMENTS)) {
    if (!known.includes(judgement.toLowerCase())) return 'it judges otherwise than the facts';
  }
  return undefined;
}

/** Words with everything that belongs to a number, an address or a name. */
function tokensOf(text: string): string[] {
  return (text.match(/[\p{L}\d](?:[\p{L}\d.,:/’'-]*[\p{L}\d])?/gu) ?? []).flatMap((token) =>
    // `scanner/proxy` and `re-check` are several words; dates and addresses stay whole.
    /\d/.test(token) ? [token] : token.split(/[/,:-]+/),
  );
}

function refanged(text: string): string {
  return text.replace(/\[(\.|:)\]/g, '$1');
}
