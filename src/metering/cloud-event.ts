// Use as CloudEvents 1.0 in JSON, for a billing system.

import { toRfc3339 } from '../domain/instant.ts';
import type { UsageEvent } from '../store/usage.ts';

const EVENT_TYPE = 'indicators.search';

/** A batch is a JSON array of events (CloudEvents JSON format §4). */
export const BATCH_MEDIA_TYPE = 'application/cloudevents-batch+json; charset=utf-8';

/**
 * The JSON of one event. `source` and `id` together tell a repeat (CloudEvents §3.1.1); the id alone does too.
 * @param source a URI reference that names this installation.
 */
export function cloudEvent(
  { id, account, credential, at, searches, returned }: UsageEvent,
  source: string,
): string {
  return JSON.stringify({
    specversion: '1.0',
    type: EVENT_TYPE,
    id,
    source,
    subject: account,
    time: toRfc3339(at),
    datacontenttype: 'application/json',
    data: { keyId: credential, searches, returned },
  });
}
