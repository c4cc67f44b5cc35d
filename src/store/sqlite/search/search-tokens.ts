// The tokens of the search index, and those of the facets of an indicator. text-tokens.ts has those of its text.
//
// One FTS5 table holds facets, trigrams and words, so that filter and text form one expression. SQLite intersects the
// posting lists, newest first. A token consists of [a-z0-9] only. Its first letter names the kind. User text is always
// hexadecimal, so it is never FTS syntax.

import { createHash } from 'node:crypto';
import { type Audience, ceilingsOf } from '../../../domain/audience.ts';
import { standingOf } from '../../../domain/indicator/computed-labels.ts';
import type { Indicator } from '../../../domain/indicator/indicator.ts';
import {
  intentsOf,
  searchedFamilies,
  searchedLabels,
  searchedSources,
  searchedTechniques,
} from '../../../domain/indicator/matching.ts';
import {
  CONTROL_INTENTS,
  INDICATOR_STATES,
  INDICATOR_TYPES,
  numberOf,
  PROTOCOLS,
  SENSOR_TYPES,
  SEVERITIES,
  THREAT_CATEGORIES,
} from '../../../domain/vocabulary.ts';
import { markingNumber } from '../../rules/markings.ts';
import { calendarTokens } from './calendar-tokens.ts';

/** Longer words are indexed by their hash, because SQLite stores every byte of a token. */
const LITERAL_BYTES = 32;

/** The letters `d`, `e`, `h`, `m` and `y` followed by digits belong to calendar-tokens.ts. */
export const token = {
  type: (number: number) => `t${number}`,
  category: (number: number) => `c${number}`,
  /** Severity of at least this number. An indicator has a token for every step it reaches, so a floor is one token. */
  severityFrom: (number: number) => `v${number}`,
  state: (number: number) => `a${number}`,
  protocol: (number: number) => `p${number}`,
  sensorType: (number: number) => `n${number}`,
  /** The rows that are for a ceiling. @param number of the marking; no row has the token of 0. */
  ceiling: (number: number) => `l${number}`,
  /** Confidence of at least ten times this number, 1 to 10. It has a token for every step, like severity. */
  confidenceFrom: (decade: number) => `k${decade}`,
  tag: (tag: string) => `g${spell(tag)}`,
  /** A row that a person disputed or withdrew: searches leave it out. */
  outOfForce: 'z1',
  /** @param text a key, or key and value. */
  label: (text: string) => `b${spell(text)}`,
  /** @param number of an intent; no row has the token of 0. */
  intent: (number: number) => `i${number}`,
  country: (code: string) => `f${spell(code)}`,
  asn: (number: number) => `s${number.toString(36)}`,
  /** @param id of release 19. */
  technique: (id: string) => `r${id.replace('T', '').replace('.', '')}`,
  /** @param name in lower case. */
  family: (name: string) => `h${spell(name)}`,
  source: (id: string) => `o${spell(id)}`,
  /** @param hex three bytes as hexadecimal digits. */
  trigram: (hex: string) => `x${hex}`,
  /** A name that occurs in the value as a whole. Different names can have the same token, so the row is checked. */
  name: (name: string) => `u${hashOf(name)}`,
  word: (word: string) => `w${spell(word)}`,
  /** The first one or two characters of the value, a tag or a summary word. */
  prefix: (prefix: string) => `q${spell(prefix)}`,
};

/** A cache: most tags, labels and sources are those of many indicators. */
const knownSpellings = new Map<string, string>();
const KNOWN_SPELLINGS_LIMIT = 10_000;
const KNOWN_SPELLING_LENGTH = 100;

/** Text as hexadecimal digits, or `h` and a hash if that would be long. Different texts give different tokens. */
function spell(text: string): string {
  const known = knownSpellings.get(text);
  if (known !== undefined) return known;
  const spelling = spellAnew(text);
  if (text.length > KNOWN_SPELLING_LENGTH) return spelling;
  if (knownSpellings.size >= KNOWN_SPELLINGS_LIMIT) knownSpellings.clear();
  knownSpellings.set(text, spelling);
  return spelling;
}

function spellAnew(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  return bytes.length <= LITERAL_BYTES
    ? bytes.toString('hex')
    : `h${createHash('sha256').update(bytes).digest('hex').slice(0, 40)}`;
}

/** FNV-1a of 32 bits: seven characters at most, since nearly every indicator has such a token. */
function hashOf(text: string): string {
  let hash = 0x811c_9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193) >>> 0;
  return hash.toString(36);
}

function stepsTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

/** The tokens of everything but text, separated by blanks, each once. They are stored in the row (indexed-rows.ts). */
export function facetTokens(indicator: Indicator, audience: Audience): string {
  const tokens = new Set<string>([
    token.type(numberOf(INDICATOR_TYPES, indicator.type)),
    ...stepsTo(numberOf(SEVERITIES, indicator.severity)).map(token.severityFrom),
    token.state(numberOf(INDICATOR_STATES, indicator.state)),
    token.protocol(numberOf(PROTOCOLS, indicator.protocol)),
    token.sensorType(numberOf(SENSOR_TYPES, indicator.sensorType)),
    ...ceilingsOf(audience).map((ceiling) => token.ceiling(markingNumber(ceiling))),
    ...stepsTo(Math.floor(indicator.confidenceScore / 10)).map(token.confidenceFrom),
    ...calendarTokens(indicator.lastSeen),
  ]);
  if (standingOf(indicator) !== 'IN_FORCE') tokens.add(token.outOfForce);
  if (indicator.categories.length === 0) tokens.add(token.category(0));
  for (const category of indicator.categories)
    tokens.add(token.category(numberOf(THREAT_CATEGORIES, category)));
  for (const tag of indicator.tags) tokens.add(token.tag(tag));
  for (const id of searchedSources(indicator)) tokens.add(token.source(id));
  for (const text of searchedLabels(indicator)) tokens.add(token.label(text));
  for (const name of intentsOf(indicator)) {
    if (name !== 'UNSPECIFIED') tokens.add(token.intent(numberOf(CONTROL_INTENTS, name)));
  }
  const { geo, asn } = indicator.enrichment ?? {};
  if (geo !== undefined && geo.countryCode !== '') tokens.add(token.country(geo.countryCode));
  if (asn !== undefined) tokens.add(token.asn(asn.number));
  for (const id of searchedTechniques(indicator)) tokens.add(token.technique(id));
  for (const name of searchedFamilies(indicator)) tokens.add(token.family(name));
  return [...tokens].join(' ');
}
