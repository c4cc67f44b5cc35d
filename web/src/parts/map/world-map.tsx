// A map of the world with places on it. It needs no other host: the coast lines come with the application. Load it lazily.

import { geoEquirectangular, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import land from 'world-atlas/land-110m.json';
import './world-map.css';

export interface Place {
  readonly key: string;
  readonly latitude: number;
  readonly longitude: number;
  /** The area of the dot grows with it, relative to the heaviest place. */
  readonly weight: number;
}

interface Props {
  /** Names the picture for screen readers. A list or table beside it has the same facts. */
  readonly label: string;
  readonly places: readonly Place[];
}

const WIDTH = 720;
const HEIGHT = 330;
const SMALLEST = 4;
const LARGEST = 16;

const projection = geoEquirectangular()
  .scale(WIDTH / (2 * Math.PI))
  .translate([WIDTH / 2, HEIGHT / 2 + 25]);
const COAST = coast();

function coast(): string {
  // The types of the file are those of any JSON.
  const topology = land as unknown as Parameters<typeof feature>[0];
  const shape = topology.objects.land;
  return shape === undefined ? '' : (geoPath(projection)(feature(topology, shape)) ?? '');
}

export function WorldMap({ label, places }: Props) {
  const most = Math.max(1, ...places.map(({ weight }) => weight));
  return (
    <svg className="world-map" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <path className="world-map-land" d={COAST} />
      {places.map(({ key, latitude, longitude, weight }) => {
        const at = projection([longitude, latitude]);
        if (at === null) return null;
        const [x, y] = at;
        const radius = SMALLEST + (LARGEST - SMALLEST) * Math.sqrt(weight / most);
        return (
          <circle key={key} className="world-map-place" cx={x} cy={y} r={places.length === 1 ? 8 : radius}>
            <title>{key}</title>
          </circle>
        );
      })}
    </svg>
  );
}
