// Where the address is, as far as the data of the operator tell. The map is loaded when there is a place to show.

import { lazy, Suspense } from 'react';
import type { ThreatIndicator } from '../../api/contract.ts';
import { INDICATOR } from '../../text/indicator.ts';
import { PARTS } from '../../text/parts.ts';
import { Panel } from './panel.tsx';

const WorldMap = lazy(() =>
  import('../../parts/map/world-map.tsx').then((file) => ({ default: file.WorldMap })),
);

const ADDRESSES: readonly string[] = ['INDICATOR_TYPE_IPV4', 'INDICATOR_TYPE_IPV6', 'INDICATOR_TYPE_CIDR'];

export function PlacePanel({ indicator }: { readonly indicator: ThreatIndicator }) {
  const { geo } = indicator.enrichment ?? {};
  const { latitude, longitude, countryCode = '', city = '' } = geo ?? {};
  if (!ADDRESSES.includes(indicator.type) && geo === undefined) return null;
  const name = [city, countryCode].filter((part) => part !== '').join(', ');
  return (
    <Panel title={INDICATOR.map}>
      {latitude === undefined || longitude === undefined ? (
        <p className="soft">{name === '' ? INDICATOR.noPlace : name}</p>
      ) : (
        <Suspense fallback={<p className="soft">{PARTS.loading}</p>}>
          <WorldMap
            label={`${INDICATOR.mapPicture}: ${name}`}
            places={[{ key: name, latitude, longitude, weight: 1 }]}
          />
        </Suspense>
      )}
    </Panel>
  );
}
