// Lookup of many values: for each what is known of it, of its host, of the domains above it and of the ranges around it.
//
// The id of an indicator is made from its type and value, so each of them is one read by id.

import { setImmediate } from 'node:timers/promises';
import { type Standing, standingIn } from '../domain/indicator/computed-labels.ts';
import { indicatorId } from '../domain/indicator/identity.ts';
import { type AddressRange, formatCidr } from '../domain/observable/address.ts';
import { type Accepted, recognise } from '../domain/observable/observable.ts';
import type { ObservableRefusal } from '../domain/observable/refusal.ts';
import { type Candidate, type MatchKind, relatedValues } from '../domain/observable/related.ts';
import type { IndicatorType, TlpMarking } from '../domain/vocabulary.ts';
import type { IndicatorReader } from '../store/indicators.ts';

export const MAX_LOOKUP_VALUES = 10_000;
/** Indicators for one value. Only addresses in many nested ranges have so many. */
const MAX_MATCHES = 10;
/** Characters of the documents of an answer, like those of a page. */
const DOCUMENT_CHARACTERS = 16 * 1_024 ** 2;
/** Values that are read together. */
const BATCH = 64;
/** Milliseconds after which others get their turn. */
const BUSY_MS = 5;

export interface LookupRequest {
  /** As people write them: of any type, defanged or not. */
  readonly values: readonly string[];
  readonly ceiling: TlpMarking;
}

export interface LookupMatch {
  readonly kind: MatchKind;
  readonly indicatorId: string;
  readonly type: IndicatorType;
  readonly value: string;
  readonly standing: Standing;
}

export interface LookupResult {
  /** As it was given. */
  readonly value: string;
  /** How it was read. UNSPECIFIED and empty if it could not be read. */
  readonly type: IndicatorType;
  readonly canonicalValue: string;
  /** The exact ones first, then the host, parents and ranges, the nearest first. */
  readonly matches: readonly LookupMatch[];
  /** There are more matches. */
  readonly truncated: boolean;
  /** Why the value could not be read. */
  readonly reason?: string;
  readonly description?: string;
}

export interface LookupAnswer {
  /** In the order of the values. */
  readonly results: readonly LookupResult[];
  /** The ProtoJSON of the indicators in the matches, each once, in the order in which they first match. */
  readonly documents: readonly string[];
  /** Indicators in the matches whose documents are left out, since the answer would be too large. */
  readonly omitted: number;
}

export type Lookup = (request: LookupRequest) => Promise<LookupAnswer>;

export function createLookup(
  indicators: Pick<IndicatorReader, 'documents' | 'rangesAround'>,
  installationSecret: Buffer,
): Lookup {
  return async ({ values, ceiling }) => {
    const found = new FoundIndicators();
    const results: LookupResult[] = [];
    let since = performance.now();
    for (let start = 0; start < values.length; start += BATCH) {
      if (performance.now() - since > BUSY_MS) {
        await setImmediate();
        since = performance.now();
      }
      const questions = await withRanges(indicators, values.slice(start, start + BATCH).map(read));
      const unknown = found.unknown(questions.flatMap(({ candidates }) => candidates));
      const ids = unknown.map(({ type, value }) => indicatorId(installationSecret, type, value));
      found.add(unknown, ids, await indicators.documents(ids, ceiling));
      for (const question of questions) results.push(answer(question, found));
    }
    return { results, ...found.documents() };
  };
}

interface Question {
  readonly text: string;
  readonly reading: Accepted | ObservableRefusal;
  readonly candidates: readonly Candidate[];
  readonly range?: AddressRange;
}

/** Private addresses are read too: the store may hold some. */
function read(text: string): Question & { readonly rangeIsValue?: true } {
  const reading = recognise(text, { acceptPrivateAddresses: true });
  return reading.ok ? { text, reading, ...relatedValues(reading) } : { text, reading, candidates: [] };
}

async function withRanges(
  indicators: Pick<IndicatorReader, 'rangesAround'>,
  questions: readonly ReturnType<typeof read>[],
): Promise<readonly Question[]> {
  const inside = questions.flatMap(({ range }) => range ?? []);
  if (inside.length === 0) return questions;
  const around = await indicators.rangesAround(inside);
  let next = 0;
  return questions.map((question) => {
    const { range, rangeIsValue, candidates } = question;
    if (range === undefined) return question;
    const covering = (around[next++] ?? [])
      .filter(({ prefix }) => !rangeIsValue || prefix < range.prefix)
      .map((one): Candidate => ({ kind: 'COVERING_CIDR', type: 'CIDR', value: formatCidr(one) }));
    return { ...question, candidates: [...candidates, ...covering] };
  });
}

function answer({ text, reading, candidates }: Question, found: FoundIndicators): LookupResult {
  if (!reading.ok) {
    const { reason, description } = reading;
    return {
      value: text,
      type: 'UNSPECIFIED',
      canonicalValue: '',
      matches: [],
      truncated: false,
      reason,
      description,
    };
  }
  const matches = candidates.flatMap(({ kind, type, value }): LookupMatch[] => {
    const match = found.matchOf(type, value);
    return match === undefined ? [] : [{ kind, type, value, ...match }];
  });
  return {
    value: text,
    type: reading.type,
    canonicalValue: reading.value,
    matches: matches.slice(0, MAX_MATCHES),
    truncated: matches.length > MAX_MATCHES,
  };
}

type Found = Pick<LookupMatch, 'indicatorId' | 'standing'>;

/** What is known of all candidates of a request. Values of one request often share hosts, parents and ranges. */
class FoundIndicators {
  /** Undefined for a candidate that is no indicator. */
  readonly #matches = new Map<string, Found | undefined>();
  readonly #documents: string[] = [];
  #characters = 0;
  #omitted = 0;

  /** The candidates that were not asked for yet, each once. */
  unknown(candidates: readonly Candidate[]): Candidate[] {
    return candidates.filter(({ type, value }) => {
      const key = keyOf(type, value);
      if (this.#matches.has(key)) return false;
      this.#matches.set(key, undefined);
      return true;
    });
  }

  add(
    candidates: readonly Candidate[],
    ids: readonly string[],
    documents: readonly (string | undefined)[],
  ): void {
    for (const [index, document] of documents.entries()) {
      const candidate = candidates[index];
      if (document === undefined || candidate === undefined) continue;
      const indicatorId = ids[index];
      if (indicatorId !== undefined)
        this.#matches.set(keyOf(candidate.type, candidate.value), {
          indicatorId,
          standing: standingIn(document),
        });
      if (this.#omitted === 0 && this.#characters + document.length <= DOCUMENT_CHARACTERS) {
        this.#characters += document.length;
        this.#documents.push(document);
      } else {
        this.#omitted += 1;
      }
    }
  }

  matchOf(type: IndicatorType, value: string): Found | undefined {
    return this.#matches.get(keyOf(type, value));
  }

  documents(): Pick<LookupAnswer, 'documents' | 'omitted'> {
    return { documents: this.#documents, omitted: this.#omitted };
  }
}

function keyOf(type: IndicatorType, value: string): string {
  return `${type}:${value}`;
}
