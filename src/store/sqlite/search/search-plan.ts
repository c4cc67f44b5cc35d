// Translates a search for SQLite: an FTS5 expression that narrows the rows, and conditions on the row for the rest.

import type { SQLInputValue } from 'node:sqlite';
import { readersAt } from '../../../domain/audience.ts';
import type { TimeWindow } from '../../../domain/filter.ts';
import { isPrefixTerm, type TextTerm } from '../../../domain/text-query.ts';
import {
  INDICATOR_STATES,
  INDICATOR_TYPES,
  numberOf,
  PROTOCOLS,
  SENSOR_TYPES,
  SEVERITIES,
  THREAT_CATEGORIES,
  TLP_MARKINGS,
} from '../../../domain/vocabulary.ts';
import type { SearchCriteria } from '../../indicators.ts';
import type { Connection } from '../connection.ts';
import { coverWindow } from './calendar-tokens.ts';
import { token } from './search-tokens.ts';
import { trigrams } from './text-tokens.ts';
import { hasNarrowViews } from './view-rows.ts';

export interface SearchPlan {
  /** FTS5 expression. Undefined if nothing narrows the search: then the newest rows are read from the table. */
  readonly match: string | undefined;
  /** SQL conditions on the columns of `indicator i`, with their values. */
  readonly conditions: readonly string[];
  readonly values: readonly SQLInputValue[];
  readonly created: TimeWindow;
}

/** The plan for the views that the store has now. */
export function planNow(connection: Connection, criteria: SearchCriteria): SearchPlan {
  const ceiling = numberOf(TLP_MARKINGS, criteria.ceiling);
  // Everything is for the highest ceiling, but for the lower views of indicators that have several.
  return planSearch(criteria, ceiling < HIGHEST_CEILING || hasNarrowViews(connection));
}

/** @param asksCeiling whether there may be rows that are not for the ceiling. */
function planSearch(criteria: SearchCriteria, asksCeiling: boolean): SearchPlan {
  const { filter } = criteria;
  const all: string[] = [];
  const conditions: string[] = [];
  const values: SQLInputValue[] = [];
  const require = (tokens: readonly string[]) => {
    if (tokens.length > 0) all.push(anyOf(tokens));
  };

  require(filter.types.map((name) => token.type(numberOf(INDICATOR_TYPES, name))));
  require(filter.categories.map((name) => token.category(numberOf(THREAT_CATEGORIES, name))));
  require(filter.states.map((name) => token.state(numberOf(INDICATOR_STATES, name))));
  require(filter.protocols.map((name) => token.protocol(numberOf(PROTOCOLS, name))));
  require(filter.sensorTypes.map((name) => token.sensorType(numberOf(SENSOR_TYPES, name))));
  require(filter.tags.map(token.tag));
  require(filter.sourceIds.map(token.source));

  if (filter.minSeverity !== 'UNSPECIFIED') {
    require([token.severityFrom(numberOf(SEVERITIES, filter.minSeverity))]);
  }
  if (filter.minConfidenceScore > 0) {
    const decade = Math.floor(filter.minConfidenceScore / 10);
    require(decade === 0 ? [] : [token.confidenceFrom(decade)]);
    if (filter.minConfidenceScore % 10 !== 0) {
      conditions.push('i.confidence >= ?');
      values.push(filter.minConfidenceScore);
    }
  }

  const { start, end } = filter.lastSeenWindow;
  if (start !== undefined || end !== undefined) {
    require(coverWindow(filter.lastSeenWindow));
    conditions.push('i.last_seen >= ? and i.last_seen < ?');
    values.push(start ?? Number.MIN_SAFE_INTEGER, end ?? Number.MAX_SAFE_INTEGER);
  }
  if (filter.validAt !== undefined) {
    conditions.push('(i.valid_until is null or i.valid_until > ?)');
    values.push(filter.validAt);
  }

  for (const term of criteria.terms) {
    all.push(matchTerm(term));
    if (!isPrefixTerm(term)) {
      // The trigrams of a term may be apart in a value, so the row is checked for the whole term.
      const words = [...new Set(term.words)].map((word) => ` ${word} `);
      const inSummary = words.map(() => 'instr(i.words, ?) > 0').join(' and ');
      conditions.push(
        words.length === 0 ? 'instr(i.haystack, ?) > 0' : `(instr(i.haystack, ?) > 0 or (${inSummary}))`,
      );
      values.push(term.text, ...words);
    }
  }

  const ceiling = numberOf(TLP_MARKINGS, criteria.ceiling);
  if (asksCeiling && (ceiling < HIGHEST_CEILING || all.length > 0)) all.unshift(token.ceiling(ceiling));
  else if (asksCeiling) conditions.push(`i.audience & ${readersAt(criteria.ceiling)} <> 0`);
  const match = all.length === 0 ? undefined : all.join(' AND ');
  return { match, conditions, values, created: filter.createdWindow };
}

const HIGHEST_CEILING = TLP_MARKINGS.length - 1;

function matchTerm(term: TextTerm): string {
  if (isPrefixTerm(term)) return token.prefix(term.text);
  const substring = `(${trigrams(term.text).join(' AND ')})`;
  if (term.words.length === 0) return substring;
  return `(${substring} OR (${[...new Set(term.words)].map(token.word).join(' AND ')}))`;
}

function anyOf(tokens: readonly string[]): string {
  return tokens.length === 1 ? (tokens[0] ?? '') : `(${tokens.join(' OR ')})`;
}
