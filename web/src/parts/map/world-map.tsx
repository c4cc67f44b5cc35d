// A map of the world with counts by country, and places as dots. It needs no other host: the shapes are in the application.
// Whoever shows it puts the same facts beside it as text, and loads it lazily.

import { geoNaturalEarth1, geoPath } from 'd3-geo';
import type { FeatureCollection } from 'geojson';
import { feature } from 'topojson-client';
import atlas from 'world-atlas/countries-110m.json';
import { PARTS } from '../../text/parts.ts';
import { countryName } from './country-name.ts';
import { SHAPE_NUMBERS, SMALL_PLACES } from './country-numbers.ts';
import './world-map.css';

export interface Place {
  readonly key: string;
  readonly latitude: number;
  readonly longitude: number;
  /** The area of the dot grows with it, relative to the heaviest place. */
  readonly weight: number;
}

interface Props {
  /** Names the picture for screen readers. */
  readonly label: string;
  /** By country code of two letters. */
  readonly counts?: ReadonlyMap<string, number>;
  readonly places?: readonly Place[];
}

const WIDTH = 960;
const HEIGHT = 470;
const SMALLEST = 4;
const LARGEST = 16;
const ONLY = 9;
/** Shades from few to many. */
const SHADES = 5;

// The types of the file are those of any JSON.
const world = atlas as unknown as Parameters<typeof feature>[0];
const projection = geoNaturalEarth1().fitSize([WIDTH, HEIGHT], { type: 'Sphere' });
const path = geoPath(projection).digits(1);
const SEA = path({ type: 'Sphere' }) ?? '';
const SHAPES = readShapes();
const NO_COUNTS: ReadonlyMap<string, number> = new Map();

export function WorldMap({ label, counts = NO_COUNTS, places = [] }: Props) {
  const most = Math.max(1, ...counts.values());
  const byNumber = new Map([...counts].map(([code, count]) => [SHAPE_NUMBERS.get(code), { code, count }]));
  const heaviest = Math.max(1, ...places.map(({ weight }) => weight));
  return (
    <svg className="world-map" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <path className="world-map-sea" d={SEA} />
      {SHAPES.map(({ key, number, d }) => {
        const known = number === undefined ? undefined : byNumber.get(number);
        if (known === undefined) return <path key={key} className="world-map-land" d={d} />;
        return (
          <path key={key} className={`world-map-land world-map-shade-${shadeOf(known.count, most)}`} d={d}>
            <title>{titleOf(known.code, known.count)}</title>
          </path>
        );
      })}
      {[...counts].map(([code, count]) => {
        const at = SMALL_PLACES[code];
        if (at === undefined) return null;
        return <Dot key={code} at={at} radius={SMALLEST + 1} title={titleOf(code, count)} />;
      })}
      {places.map(({ key, latitude, longitude, weight }) => {
        const radius = SMALLEST + (LARGEST - SMALLEST) * Math.sqrt(weight / heaviest);
        return (
          <Dot
            key={key}
            at={[longitude, latitude]}
            radius={places.length === 1 ? ONLY : radius}
            title={key}
          />
        );
      })}
    </svg>
  );
}

interface DotProps {
  /** Longitude and latitude. */
  readonly at: readonly [number, number];
  readonly radius: number;
  readonly title: string;
}

function Dot({ at: [longitude, latitude], radius, title }: DotProps) {
  const at = projection([longitude, latitude]);
  if (at === null) return null;
  return (
    <circle className="world-map-place" cx={at[0]} cy={at[1]} r={radius}>
      <title>{title}</title>
    </circle>
  );
}

function readShapes() {
  const { countries } = world.objects;
  if (countries === undefined) return [];
  const { features } = feature(world, countries) as FeatureCollection;
  return features.map((shape, key) => ({
    key,
    number: shape.id === undefined ? undefined : String(shape.id),
    d: path(shape) ?? '',
  }));
}

/** 1 to SHADES. Counts differ by powers of ten, so shades follow the logarithm. */
function shadeOf(count: number, most: number): number {
  return 1 + Math.round((Math.log1p(count) / Math.log1p(most)) * (SHADES - 1));
}

function titleOf(code: string, count: number): string {
  return `${countryName(code)}: ${PARTS.indicators(count)}`;
}
