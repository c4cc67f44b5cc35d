// Translates a search for SQLite: an FTS5 expression that narrows the rows, and conditions on the row for the rest.

import type { SQLInputValue } from 'node:sqlite';
import { readersAt } from '../../../domain/audience.ts';
import { currentTechniqueId } from '../../../domain/evidence/technique-id.ts';
import type { IndicatorFilter, TimeWindow } from '../../../domain/filter.ts';
import { isName } from '../../../domain/observable/whole-part.ts';
import { VERDICT_LABEL } from '../../../domain/score/verdict.ts';
import { isPrefixTerm, type TextTerm } from '../../../domain/text-query.ts';
import {
  CONTROL_INTENTS,
  type ControlIntent,
  INDICATOR_STATES,
  INDICATOR_TYPES,
  numberOf,
  PROTOCOLS,
  SENSOR_TYPES,
  SEVERITIES,
  THREAT_CATEGORIES,
  TLP_MARKINGS,
  type TlpMarking,
  VERDICTS,
  type VerdictName,
} from '../../../domain/vocabulary.ts';
import type { SearchCriteria } from '../../indicators.ts';
import type { Connection } from '../connection.ts';
import { coverWindow, hoursInside } from './calendar-tokens.ts';
import { token } from './search-tokens.ts';
import { type Estimated, rarestFirst, Shares } from './shares.ts';
import { spacedOut, trigrams } from './text-tokens.ts';
import { createSampler } from './token-sample.ts';
import { hasNarrowViews } from './view-rows.ts';

export interface SearchPlan {
  /** FTS5 expression. Undefined if nothing narrows the search: then the newest rows are read from the table. */
  readonly match: string | undefined;
  /** FTS5 expression for some of the matches, which need no check of the row. Undefined if there is none. */
  readonly certain: string | undefined;
  /** SQL conditions on the columns of `indicator i`, with their values. */
  readonly conditions: readonly string[];
  readonly values: readonly SQLInputValue[];
  readonly created: TimeWindow;
}

/** Makes the plan of a search for the views that the store has now. */
export type Planner = (criteria: SearchCriteria) => SearchPlan;

export function createPlanner(connection: Connection): Planner {
  const sample = createSampler(connection);
  return (criteria) => {
    const ceiling = numberOf(TLP_MARKINGS, criteria.ceiling);
    // Everything is for the highest ceiling, but for the lower views of indicators that have several.
    const asksCeiling = ceiling < HIGHEST_CEILING || hasNarrowViews(connection);
    const leavesOut = !criteria.filter.includeWithdrawn && hasOut(connection);
    return planSearch(criteria, asksCeiling, leavesOut, new Shares(sample()));
  };
}

const HIGHEST_CEILING = TLP_MARKINGS.length - 1;

/** A part of a search that tokens only narrow: the row decides. */
interface Checked {
  readonly condition: string;
  readonly values: readonly SQLInputValue[];
  /** Every match has these tokens. */
  readonly tokens?: Estimated;
  /** Every match has these tokens too. They are asked for if that is worth it. */
  readonly hint?: Estimated;
  /** FTS5 expression that only matches have. */
  readonly certain?: string | undefined;
}

/** Whether anything is disputed or withdrawn. */
function hasOut(connection: Connection): boolean {
  const sql = 'select exists (select 1 from search_index s where s.search_index match ?)';
  return connection.row(sql, token.outOfForce)?.[0] === 1;
}

/** Undefined without any part. */
function joined(expressions: readonly string[]): string | undefined {
  const all = expressions.filter((expression) => expression !== '').join(' AND ');
  return all === '' ? undefined : all;
}

/**
 * @param asksCeiling whether there may be rows that are not for the ceiling.
 * @param leavesOut whether there are disputed or withdrawn rows to leave out.
 */
function planSearch(
  criteria: SearchCriteria,
  asksCeiling: boolean,
  leavesOut: boolean,
  shares: Shares,
): SearchPlan {
  const exact = exactParts(criteria, shares);
  const given = exact.reduce((all, part) => shares.both(all, part), shares.everything);
  const checked = [
    ...checkedFilters(criteria.filter, shares),
    ...checkedTerms(criteria.terms, given, shares),
  ];
  const conditions = checked.map(({ condition }) => condition);
  const values = checked.flatMap((part) => part.values);
  const certain: (string | undefined)[] = [given.expression, ...checked.map((part) => part.certain)];
  const parts = [...exact];
  let all = given;
  const ask = (part: Estimated) => {
    parts.push(part);
    all = shares.both(all, part);
  };
  for (const { tokens } of checked) if (tokens !== undefined) ask(tokens);
  for (const { hint } of checked) if (hint !== undefined && shares.isWorth(all, hint, true)) ask(hint);
  if (asksCeiling) {
    const readers = shares.token(token.ceiling(numberOf(TLP_MARKINGS, criteria.ceiling)));
    certain.push(readers.expression);
    // Nearly all rows are for the highest ceiling, so its list alone is of no use.
    const isUseful = criteria.ceiling !== 'RED' || all.expression !== '';
    if (isUseful && shares.isWorth(all, readers, conditions.length > 0)) ask(readers);
    else conditions.push(`i.audience & ${readersAt(criteria.ceiling)} <> 0`);
  }
  const match = joined(parts.toSorted(rarestFirst).map(({ expression }) => expression));
  const sure = certain.includes(undefined) ? undefined : joined(certain.filter((part) => part !== undefined));
  if (!leavesOut) {
    return { match, certain: sure, conditions, values, created: criteria.filter.createdWindow };
  }
  // What is left out needs something to be left out of: every row for the ceiling.
  const readers = token.ceiling(numberOf(TLP_MARKINGS, criteria.ceiling));
  return {
    match: `(${match ?? readers}) NOT ${token.outOfForce}`,
    certain: sure && `(${sure}) NOT ${token.outOfForce}`,
    conditions,
    values,
    created: criteria.filter.createdWindow,
  };
}

/** The parts that tokens decide. */
function exactParts({ filter, terms, ceiling }: SearchCriteria, shares: Shares): readonly Estimated[] {
  const lists = [
    filter.types.map((name) => token.type(numberOf(INDICATOR_TYPES, name))),
    filter.categories.map((name) => token.category(numberOf(THREAT_CATEGORIES, name))),
    filter.states.map((name) => token.state(numberOf(INDICATOR_STATES, name))),
    filter.protocols.map((name) => token.protocol(numberOf(PROTOCOLS, name))),
    filter.sensorTypes.map((name) => token.sensorType(numberOf(SENSOR_TYPES, name))),
    filter.tags.map(token.tag),
    filter.sourceIds.map(token.source),
    filter.labels.map(token.label),
    filter.countryCodes.map(token.country),
    filter.asns.map(token.asn),
    filter.attackTechniques.map((id) => token.technique(currentTechniqueId(id))),
    filter.malwareFamilies.map((name) => token.family(name.toLowerCase())),
    filter.minSeverity === 'UNSPECIFIED'
      ? []
      : [token.severityFrom(numberOf(SEVERITIES, filter.minSeverity))],
    filter.minConfidenceScore < 10 ? [] : [token.confidenceFrom(Math.floor(filter.minConfidenceScore / 10))],
    ...terms.filter(isPrefixTerm).map(({ text }) => [token.prefix(text)]),
  ];
  const parts = lists.filter((tokens) => tokens.length > 0).map((tokens) => anyOf(tokens, shares));
  const intentToken = (name: ControlIntent) => token.intent(numberOf(CONTROL_INTENTS, name));
  const verdictToken = (name: VerdictName) => token.label(`${VERDICT_LABEL}=${name.toLowerCase()}`);
  return [
    ...parts,
    ...named(filter.intents, CONTROL_INTENTS, intentToken, ceiling, shares),
    ...named(filter.verdicts, VERDICTS, verdictToken, ceiling, shares),
  ];
}

/** UNSPECIFIED wants every row for the ceiling that has no token of any name. */
function named<Name extends string>(
  wanted: readonly Name[],
  names: readonly Name[],
  tokenOf: (name: Name) => string,
  ceiling: TlpMarking,
  shares: Shares,
): readonly Estimated[] {
  if (wanted.length === 0) return [];
  const given = wanted.filter((name) => name !== 'UNSPECIFIED').map((name) => shares.token(tokenOf(name)));
  if (given.length === wanted.length) return [shares.anyOf(given)];
  const readers = shares.token(token.ceiling(numberOf(TLP_MARKINGS, ceiling)));
  const without = shares.without(readers, anyOf(names.slice(1).map(tokenOf), shares));
  return [shares.anyOf([...given, without])];
}

function checkedFilters(
  { minConfidenceScore, lastSeenWindow, validAt }: IndicatorFilter,
  shares: Shares,
): readonly Checked[] {
  const checked: Checked[] = [];
  if (minConfidenceScore % 10 !== 0) {
    const next = Math.ceil(minConfidenceScore / 10);
    checked.push({
      condition: 'i.confidence >= ?',
      values: [minConfidenceScore],
      certain: token.confidenceFrom(next),
    });
  }
  const { start, end } = lastSeenWindow;
  if (start !== undefined || end !== undefined) {
    const inside = hoursInside(lastSeenWindow);
    checked.push({
      condition: 'i.last_seen >= ? and i.last_seen < ?',
      values: [start ?? Number.MIN_SAFE_INTEGER, end ?? Number.MAX_SAFE_INTEGER],
      hint: anyOf(coverWindow(lastSeenWindow), shares),
      certain: inside.length === 0 ? undefined : anyOf(inside, shares).expression,
    });
  }
  if (validAt !== undefined) {
    checked.push({ condition: '(i.valid_until is null or i.valid_until > ?)', values: [validAt] });
  }
  return checked;
}

/** The trigrams of a term may be apart in a value, so the row is checked for the whole term. */
function checkedTerms(terms: readonly TextTerm[], given: Estimated, shares: Shares): readonly Checked[] {
  return terms
    .filter((term) => !isPrefixTerm(term))
    .map(({ kind, text, words }): Checked => {
      const tokensOf = (tokens: readonly string[]) => tokens.map((one) => shares.token(one));
      if (kind === 'whole' && isName(text))
        return { ...HOLDS_WHOLE, values: [text], tokens: shares.token(token.name(text)) };
      const substring = shares.worthOf(given, tokensOf(trigrams(text)));
      if (kind === 'whole') return { ...HOLDS_WHOLE, values: [text], tokens: substring };
      if (words.length === 0)
        return { condition: 'instr(i.haystack, ?) > 0', values: [text], tokens: substring };
      const distinct = [...new Set(words)];
      const wholeWords = tokensOf(distinct.map(token.word));
      const tokens = shares.anyOf([substring, shares.worthOf(given, wholeWords)]);
      if (kind === 'contiguous') {
        const condition = '(instr(i.haystack, ?) > 0 or instr(i.words, ?) > 0)';
        return { condition, values: [text, spacedOut(text)], tokens };
      }
      return {
        condition: `(instr(i.haystack, ?) > 0 or (${distinct.map(() => 'instr(i.words, ?) > 0').join(' and ')}))`,
        values: [text, ...distinct.map((word) => ` ${word} `)],
        tokens,
        certain: wholeWords.map(({ expression }) => expression).join(' AND '),
      };
    });
}

/** The function is holdsWhole of text-tokens.ts. */
const HOLDS_WHOLE = { condition: 'holds_whole(i.haystack, ?) = 1' };

function anyOf(tokens: readonly string[], shares: Shares): Estimated {
  return shares.anyOf([...new Set(tokens)].map((one) => shares.token(one)));
}
