// The audit log for administrators: search by actor, action and target, newest first.

import { toRfc3339 } from '../../domain/instant.ts';
import { isVisible, parseTlp } from '../../domain/tlp.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import { requireScope } from '../../gateway/authorize.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { AuditRecord, Stores } from '../../store/stores.ts';
import { countIn, type DataRoute, requireKnown, textIn } from './data-routes.ts';

const DEFAULT_PAGE = 100;
const MAX_PAGE = 1_000;
/** Acts on one indicator or on its jobs. */
const ON_INDICATORS = /^(?:indicator|job)\./;

/**
 * `GET /app/data/audit?actor=&action=&target=&before=&limit=`. The answer has `next` if there may be older lines: it is the
 * `before` of the next page. Acts on people, keys and clients of other accounts are left out, acts on indicators that the
 * caller may not see, and words above his ceiling: a page may be short.
 */
export function auditSearch(stores: Pick<Stores, 'audit' | 'indicators'>): DataRoute {
  return {
    method: 'GET',
    path: '/audit',
    authorize: (caller) => requireScope(caller, 'admin'),
    answer: async (input, caller) => {
      requireKnown(input, ['actor', 'action', 'target', 'before', 'limit']);
      const limit = countIn(input, 'limit', MAX_PAGE) ?? DEFAULT_PAGE;
      const [actor, action, target] = ['actor', 'action', 'target'].map((name) => textIn(input, name));
      const before = countIn(input, 'before', Number.MAX_SAFE_INTEGER);
      const records = await stores.audit(limit, {
        ...(actor === undefined ? {} : { actor }),
        ...(action === undefined ? {} : { action }),
        ...(target === undefined ? {} : { target }),
        ...(before === undefined ? {} : { before }),
      });
      const last = records.length < limit ? undefined : records.at(-1);
      return {
        entries: (await visible(records, stores, caller)).map(toJson),
        ...(last === undefined ? {} : { next: last.number }),
      };
    },
  };
}

async function visible(
  records: readonly AuditRecord[],
  { indicators }: Pick<Stores, 'indicators'>,
  { account, ceiling }: Caller,
): Promise<readonly AuditRecord[]> {
  const ids = [...new Set(records.flatMap((record) => (isAboutIndicator(record) ? [record.target] : [])))];
  const documents = await indicators.documents(ids, ceiling);
  const hidden = new Set(ids.filter((_, index) => documents[index] === undefined));
  return records
    .filter(({ target, detail }) => !hidden.has(target) && (detail.account ?? account) === account)
    .flatMap((record) => (isAboutIndicator(record) ? withReadableWords(record, ceiling) : [record]));
}

/** As in the history: a note above the ceiling does not exist, and a verdict is there without its words. */
function withReadableWords(record: AuditRecord, ceiling: TlpMarking): readonly AuditRecord[] {
  const { note = '', tlp = '', ...others } = record.detail;
  if (note === '' || isVisible(parseTlp(tlp) ?? 'RED', ceiling)) return [record];
  return record.action === 'indicator.note' ? [] : [{ ...record, detail: others }];
}

function isAboutIndicator({ action, target }: AuditRecord): boolean {
  return ON_INDICATORS.test(action) && target !== 'all';
}

function toJson(record: AuditRecord): object {
  return { ...record, at: toRfc3339(record.at) };
}
