// Page tokens (AIP-158): the position of a walk, sealed so that a client can neither read nor change it, nor use it with
// another query. The service keeps no state for a token, and a token never expires.

import { invalidArgument } from '../domain/errors.ts';
import type { IndicatorFilter } from '../domain/filter.ts';
import { createTokenSealer } from '../domain/sealed-token.ts';
import type { SearchCriteria, Seq } from '../store/indicators.ts';

const SEQ_BYTES = 8;
const TOTAL_BYTES = 4;
/** A double, which holds every key. */
const KEY_BYTES = 8;
/** In the place of a total that is not known. */
const NO_TOTAL = 0xffff_ffff;

export interface WalkPosition {
  /** seq of the last row of the page. */
  readonly last: Seq;
  /** The number of matches when the walk began. Undefined if it was above the bound of counts. */
  readonly totalCount: number | undefined;
  /** Key of the last row, if the order is not that of creation. */
  readonly key?: number;
}

export interface PageTokens {
  seal(position: WalkPosition, criteria: SearchCriteria): string;
  /** @throws ServiceError `invalid_argument`, the same error for every token that is not ours or is of another query. */
  open(token: string, criteria: SearchCriteria): WalkPosition;
}

export function createPageTokens(installationSecret: Buffer): PageTokens {
  const sealer = createTokenSealer(installationSecret, 'page token of a search');
  return {
    seal: ({ last, totalCount = NO_TOTAL, key }, criteria) => {
      const state = Buffer.alloc(SEQ_BYTES + TOTAL_BYTES + (key === undefined ? 0 : KEY_BYTES));
      state.writeBigUInt64BE(BigInt(last));
      state.writeUInt32BE(totalCount, SEQ_BYTES);
      if (key !== undefined) state.writeDoubleBE(key, SEQ_BYTES + TOTAL_BYTES);
      return sealer.seal(state, fingerprint(criteria));
    },
    open: (token, criteria) => {
      const state = sealer.open(token, fingerprint(criteria));
      const isOrdered = criteria.order !== undefined;
      if (state?.length !== SEQ_BYTES + TOTAL_BYTES + (isOrdered ? KEY_BYTES : 0)) {
        throw invalidArgument(
          [{ field: 'pagination.pageToken', description: 'not a page token of this search' }],
          'INVALID_PAGE_TOKEN',
        );
      }
      const total = state.readUInt32BE(SEQ_BYTES);
      return {
        last: Number(state.readBigUInt64BE()),
        totalCount: total === NO_TOTAL ? undefined : total,
        ...(isOrdered ? { key: state.readDoubleBE(SEQ_BYTES + TOTAL_BYTES) } : {}),
      };
    },
  };
}

/** Equal for two criteria exactly if they are the same search at the same ceiling. */
function fingerprint({ filter, terms, ceiling, order }: SearchCriteria): string {
  const members = Object.keys(filter).sort() as (keyof IndicatorFilter)[];
  return [
    ceiling,
    order?.by ?? '',
    ...members.map((member) => `${member}=${canonical(filter[member])}`),
    ...terms.map(({ kind, text }) => `${kind} ${JSON.stringify(text)}`),
  ].join(' ');
}

/** Texts are quoted, so that none can look like several. */
function canonical(value: IndicatorFilter[keyof IndicatorFilter]): string {
  if (value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  if ('length' in value)
    return value.length === 0 ? '' : JSON.stringify([...new Set<string | number>(value)].sort());
  return `${value.start ?? ''}..${value.end ?? ''}`;
}
