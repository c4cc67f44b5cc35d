// Where the addresses of the last hour are: a map, and a table beside it.

import { lazy, Suspense } from 'react';
import type { LiveFigures } from '../../api/live.ts';
import { countryName } from '../../parts/map/country-name.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { LIVE } from '../../text/live.ts';

const WorldMap = lazy(() =>
  import('../../parts/map/world-map.tsx').then((file) => ({ default: file.WorldMap })),
);

type Origin = LiveFigures['origins'][number];

const COLUMNS: readonly Column<Origin>[] = [
  { key: 'country', title: LIVE.country, cell: ({ country }) => countryName(country) },
  {
    key: 'indicators',
    title: LIVE.indicators,
    end: true,
    cell: ({ indicators }) => indicators.toLocaleString('en'),
  },
];
const LISTED = 12;

export function Origins({ figures: { origins, originsAtLeast } }: { readonly figures: LiveFigures }) {
  return (
    <section className="live-origins" aria-labelledby="live-origins">
      <h2 id="live-origins">{LIVE.origins}</h2>
      <p className="soft">
        {origins.length === 0 ? `${LIVE.noOrigins} ${LIVE.noOriginsHint}` : LIVE.originsHint}
        {originsAtLeast && ` ${LIVE.originsAtLeast}`}
      </p>
      {origins.length > 0 && (
        <div className="live-map">
          <div className="panel">
            <Suspense fallback={<div className="live-map-place" />}>
              <WorldMap
                label={LIVE.map(origins.length)}
                counts={new Map(origins.map(({ country, indicators }) => [country, indicators]))}
              />
            </Suspense>
          </div>
          <div>
            <Table
              caption={LIVE.origins}
              columns={COLUMNS}
              rows={origins.slice(0, LISTED)}
              rowKey={({ country }) => country}
            />
            {origins.length > LISTED && <p className="soft">{LIVE.moreCountries(origins.length - LISTED)}</p>}
          </div>
        </div>
      )}
    </section>
  );
}
