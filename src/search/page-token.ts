// Page tokens (AIP-158): the position of a walk, sealed so that a client can neither read nor change it, nor use it with
// another query. The service keeps no state for a token, and a token never expires.

import { createHash } from 'node:crypto';
import { invalidArgument } from '../domain/errors.ts';
import { createTokenSealer } from '../domain/sealed-token.ts';
import type { SearchCriteria, Seq } from '../store/indicators.ts';

const SEQ_BYTES = 8;

export interface PageTokens {
  /** @param last seq of the last row of the page. */
  seal(last: Seq, criteria: SearchCriteria): string;
  /** @throws ServiceError `invalid_argument`, the same error for every token that is not ours or is of another query. */
  open(token: string, criteria: SearchCriteria): Seq;
}

export function createPageTokens(installationSecret: Buffer): PageTokens {
  const sealer = createTokenSealer(installationSecret, 'page token of a search');
  return {
    seal: (last, criteria) => {
      const state = Buffer.alloc(SEQ_BYTES);
      state.writeBigUInt64BE(BigInt(last));
      return sealer.seal(state, fingerprint(criteria));
    },
    open: (token, criteria) => {
      const state = sealer.open(token, fingerprint(criteria));
      if (state?.length !== SEQ_BYTES) {
        throw invalidArgument(
          [{ field: 'pagination.pageToken', description: 'not a page token of this search' }],
          'INVALID_PAGE_TOKEN',
        );
      }
      return Number(state.readBigUInt64BE());
    },
  };
}

/** Equal for two criteria exactly if they are the same search at the same ceiling. */
function fingerprint(criteria: SearchCriteria): Buffer {
  const canonical = JSON.stringify(criteria, (_key, value: unknown) => {
    if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
      return [...new Set(value)].sort();
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
    }
    return value;
  });
  return createHash('sha256').update(canonical).digest();
}
