// Everything that clients can see of a service, as text, to detect changes.

import type { RunningService } from './running-service.ts';
import { TaxiiClient } from './taxii-client.ts';
import type { WireIndicator } from './wire.ts';

export interface StoreDump {
  readonly indicators: readonly WireIndicator[];
  /** Every version of every object, each with the place it has in the feed. */
  readonly feed: readonly unknown[];
}

export async function dump(service: RunningService): Promise<StoreDump> {
  const key = await service.key({ tlpCeiling: 'RED' });
  const indicators: WireIndicator[] = [];
  let pageToken = '';
  do {
    const page = await service.as(key).search({ pagination: { pageSize: 1_000, pageToken } });
    indicators.push(...page.indicators);
    pageToken = page.pageInfo.nextPageToken;
  } while (pageToken !== '');
  const taxii = new TaxiiClient(() => service.url, key);
  const everything = { 'match[version]': 'all', limit: 5_000 };
  const [{ items: places }, { items: objects }] = [
    await taxii.manifest(everything),
    await taxii.objects(everything),
  ];
  return { indicators, feed: places.map((place, index) => [place, objects[index]]) };
}
