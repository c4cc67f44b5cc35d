// The use of an account by credential: what /v1/usage reports for one credential, for all of them at once, beside the
// requests that were over a limit.

import { invalidArgument } from '../../domain/errors.ts';
import { type Instant, toRfc3339 } from '../../domain/instant.ts';
import { parseTimestamp, toInstant } from '../../domain/timestamp.ts';
import { requireScope } from '../../gateway/authorize.ts';
import type { ApiKeyReader } from '../../store/api-key.ts';
import type { PersonReader } from '../../store/person.ts';
import type { RefusalTotal, UsageQuery, UsageReader, UsageTotal } from '../../store/usage.ts';
import { type DataInput, type DataRoute, requireKnown, textIn } from './data-routes.ts';

/** Days of a year and the one that has begun. */
const MAX_DAYS = 367;
/** Credentials of one answer: each is a read of its own. */
const MAX_CREDENTIALS = 500;
/** Begin of the id of a person's credential. */
const PERSON = 'person|';

export interface CredentialUsageParts {
  readonly usage: Pick<UsageReader, 'report' | 'refusals' | 'holders'>;
  readonly keys: Pick<ApiKeyReader, 'byId'>;
  readonly people: Pick<PersonReader, 'byId'>;
}

/**
 * `GET /app/data/usage?start=&end=` (RFC 3339): days of UTC. `complete` is false if the account has more credentials than
 * one answer holds.
 */
export function usageByCredential({ usage, keys, people }: CredentialUsageParts): DataRoute {
  const nameOf = async (credential: string) =>
    credential.startsWith(PERSON)
      ? (await people.byId(credential.slice(PERSON.length)))?.login
      : (await keys.byId(credential))?.name;
  return {
    method: 'GET',
    path: '/usage',
    authorize: (caller) => requireScope(caller, 'usage:read'),
    answer: async (input, { account }) => {
      requireKnown(input, ['start', 'end']);
      const window = windowIn(input);
      const holders = await usage.holders(account);
      const ofHolder = async (credential: string | undefined) => {
        const query: UsageQuery = {
          account,
          bucket: 'DAY',
          window,
          ...(credential === undefined ? {} : { credential }),
        };
        return {
          days: (await usage.report(query, MAX_DAYS)).map(toUse),
          refusals: (await usage.refusals(query, MAX_DAYS)).map(toRefusal),
        };
      };
      const credentials = [];
      for (const { credential } of holders.slice(0, MAX_CREDENTIALS)) {
        const { days, refusals } = await ofHolder(credential);
        if (days.length + refusals.length === 0) continue;
        const name = await nameOf(credential);
        credentials.push({
          id: credential,
          ...(name === undefined ? {} : { name }),
          days,
          refusals,
        });
      }
      return {
        account,
        ...(await ofHolder(undefined)),
        credentials,
        complete: holders.length <= MAX_CREDENTIALS,
      };
    },
  };
}

function windowIn(input: DataInput): { readonly start: Instant; readonly end: Instant } {
  const [start, end] = (['start', 'end'] as const).map((field) => {
    const timestamp = parseTimestamp(textIn(input, field) ?? '', {});
    if (timestamp === undefined)
      throw invalidArgument([{ field, description: 'must be a time of RFC 3339' }]);
    return toInstant(timestamp);
  }) as [Instant, Instant];
  if (start > end) throw invalidArgument([{ field: 'start', description: 'must not be after the end' }]);
  return { start, end };
}

function toUse({ start, searches, returned, lookups, lookupRequests }: UsageTotal): object {
  return {
    start: toRfc3339(start),
    searchCount: searches,
    returnedCount: returned,
    lookupCount: lookups,
    lookupRequestCount: lookupRequests,
  };
}

function toRefusal({ start, requests }: RefusalTotal): object {
  return { start: toRfc3339(start), requests };
}
