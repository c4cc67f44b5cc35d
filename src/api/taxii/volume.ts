// How much one account may submit in a day, since what became of it is kept for as long.

import { ServiceError } from '../../domain/errors.ts';
import { type Clock, DAY } from '../../domain/instant.ts';
import { createLimiter } from '../../gateway/rate-limit.ts';

/** 128 bodies of the greatest length, or more than a million of one object. */
const DAILY_BYTES = 1_024 ** 3;

/** What a status takes though next to nothing was submitted. */
const STATUS_BYTES = 512;

export interface SubmissionVolume {
  /** @throws ServiceError `resource_exhausted` when these would be too many. */
  spend(account: string, bytes: number): void;
}

export function createSubmissionVolume(clock: Clock, dailyBytes = DAILY_BYTES): SubmissionVolume {
  const volumes = createLimiter({
    perMinute: Math.ceil((dailyBytes * 60_000) / DAY),
    burst: dailyBytes,
    clock,
  });
  return {
    spend: (account, bytes) => {
      const { allowed, retryAfterMs } = volumes.spend(account, bytes + STATUS_BYTES);
      if (allowed) return;
      throw new ServiceError(
        'resource_exhausted',
        `over what an account may submit: ${dailyBytes} bytes, which come back within a day`,
        {
          reason: 'SUBMISSION_VOLUME_EXCEEDED',
          metadata: { subject: 'account', dailyBytes: String(dailyBytes) },
          retryAfterMs,
        },
      );
    },
  };
}
