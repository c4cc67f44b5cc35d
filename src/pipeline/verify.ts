// Verification: a person's confirmation, the last move of the lifecycle.

import { ServiceError } from '../domain/errors.ts';
import type { Clock } from '../domain/instant.ts';
import { advance } from '../domain/lifecycle.ts';
import { isVisible } from '../domain/tlp.ts';
import type { Stores } from '../store/stores.ts';
import type { Commands } from './commands.ts';
import type { EncodeIndicator, RenderStix } from './ports.ts';
import { publish } from './publish.ts';

export interface VerifyParts {
  readonly stores: Stores;
  readonly encodeIndicator: EncodeIndicator;
  readonly renderStix: RenderStix;
  readonly clock: Clock;
}

export function createVerify(parts: VerifyParts): Commands['verify'] {
  return ({ indicatorId, actor, ceiling, note }) =>
    parts.stores.write(async (tx) => {
      const now = parts.clock();
      const stored = (await tx.load([indicatorId])).get(indicatorId);
      if (stored === undefined || !isVisible(stored.record.indicator.tlp, ceiling)) {
        throw new ServiceError('not_found', 'no such indicator', { reason: 'INDICATOR_NOT_FOUND' });
      }
      // A repeat changes nothing, so a client may retry without a request id.
      if (stored.record.indicator.state === 'VERIFIED') return parts.encodeIndicator(stored.record.indicator);

      const { record, entries } = publish(advance(stored.record, 'VERIFIED', now, actor), parts.renderStix);
      const document = parts.encodeIndicator(record.indicator);
      await tx.save([{ record, document }]);
      await tx.append(entries, now);
      await tx.audit({ at: now, actor, action: 'indicator.verify', target: indicatorId, detail: { note } });
      return document;
    });
}
