// The operation that reports metered use.

import { invalidArgument } from '../../domain/errors.ts';
import type { TimeWindow } from '../../domain/filter.ts';
import { USAGE_BUCKETS, type UsageBucket } from '../../domain/usage-bucket.ts';
import { requireScope } from '../../gateway/authorize.ts';
import { nameOf, type UsageService } from '../../protojson/contract.ts';
import { ceilToInstant } from '../../protojson/proto-timestamp.ts';
import type { UsageReader, UsageTotal } from '../../store/usage.ts';
import type { Operations, RequestOf } from './transcoder.ts';

export interface UsageDeps {
  readonly usage: Pick<UsageReader, 'report'>;
}

type GetUsageRequest = RequestOf<typeof UsageService, 'getUsage'>;

const MAX_RECORDS = 10_000;

export function usageOperations({ usage }: UsageDeps): Operations<typeof UsageService> {
  return {
    getUsage: {
      isPage: true,
      authorize: (caller) => requireScope(caller, 'usage:read'),
      validate: (request) => void toWindow(request),
      answer: async (request, { account }) => {
        const totals = await usage.report(
          {
            account,
            ...(request.keyId === '' ? {} : { credential: request.keyId }),
            bucket: toBucket(request),
            window: toWindow(request),
          },
          MAX_RECORDS + 1,
        );
        if (totals.length > MAX_RECORDS) {
          throw invalidArgument([
            { field: 'window', description: `holds use in more than ${MAX_RECORDS} buckets` },
          ]);
        }
        return { records: totals.map(toRecord) };
      },
    },
  };
}

function toBucket({ bucket }: GetUsageRequest): UsageBucket {
  const name = nameOf(USAGE_BUCKETS, bucket);
  return name === 'UNSPECIFIED' ? 'DAY' : name;
}

/** @throws ServiceError `invalid_argument` for a window that starts after it ends. */
function toWindow({ window }: GetUsageRequest): TimeWindow {
  const start = window?.start === undefined ? undefined : ceilToInstant(window.start);
  const end = window?.end === undefined ? undefined : ceilToInstant(window.end);
  if (start !== undefined && end !== undefined && start > end) {
    throw invalidArgument([{ field: 'window', description: 'must not start after it ends' }]);
  }
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
}

function toRecord({ start, end, searches, returned, lookups, lookupRequests }: UsageTotal) {
  return {
    start,
    end,
    searchCount: searches,
    returnedCount: returned,
    lookupCount: lookups,
    lookupRequestCount: lookupRequests,
  };
}
