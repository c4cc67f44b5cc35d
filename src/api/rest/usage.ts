// The operation that reads what is billed.

import { invalidArgument } from '../../domain/errors.ts';
import type { TimeWindow } from '../../domain/filter.ts';
import { USAGE_BUCKETS, type UsageBucket } from '../../domain/usage-bucket.ts';
import { requireScope } from '../../gateway/authorize.ts';
import {
  type GetUsageRequest,
  GetUsageResponseSchema,
  nameOf,
  type UsageService,
} from '../../protojson/contract.ts';
import { createEncoder } from '../../protojson/json-encoder.ts';
import { ceilToInstant } from '../../protojson/proto-timestamp.ts';
import type { UsageTotal } from '../../store/usage.ts';
import type { RestDependencies } from '../http/dependencies.ts';
import type { Operations } from './transcoder.ts';

const MAX_RECORDS = 10_000;

const encode = createEncoder<{ readonly records: readonly object[] }>(GetUsageResponseSchema);

export function usageOperations({ usage }: RestDependencies): Operations<typeof UsageService> {
  return {
    getUsage: {
      authorize: (caller) => requireScope(caller, 'usage:read'),
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
        return encode({ records: totals.map(toRecord) });
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

function toRecord({ start, end, searches, returned }: UsageTotal): object {
  return { start, end, searchCount: searches, returnedCount: returned };
}
