// Where an address is, by databases that the operator brings.

import type { GeoLocation } from '../../domain/indicator/indicator.ts';
import { publicAddressesOf } from '../../domain/indicator/indicator-address.ts';
import type { Enricher } from '../enricher.ts';
import { type AddressDatabase, firstAnswer } from './address-database.ts';
import { numberAt, textAt } from './database-record.ts';

// Nested as MaxMind and DB-IP have it, flat as DB-IP's repackagers and ipinfo do. MaxMind's `registered_country` is where
// the holder is, not the address: it is not read.
const COUNTRY = ['country.iso_code', 'country_code', 'country'];
const CITY = ['city.names.en', 'city'];
const LATITUDE = ['location.latitude', 'latitude', 'lat'];
const LONGITUDE = ['location.longitude', 'longitude', 'lng', 'lon'];

/** Codes that stand for no country (ISO 3166-1 leaves them to users). */
const NO_COUNTRY: ReadonlySet<string> = new Set(['XX', 'ZZ']);

/** @param databases asked in order, until one knows the address. */
export function geoLocation(databases: readonly AddressDatabase[]): Enricher {
  return {
    name: 'geo-location',
    appliesTo: ({ record }) => publicAddressesOf(record.indicator) !== undefined,
    enrich: ({ record }) => {
      const range = publicAddressesOf(record.indicator);
      const answer = range && firstAnswer(databases, range, readLocation);
      return answer === undefined ? {} : { geo: answer.value, datasets: [answer.dataset] };
    },
  };
}

/** Undefined when the record tells no place at all. */
function readLocation(record: unknown): GeoLocation | undefined {
  if (record === undefined) return undefined;
  const countryCode = COUNTRY.map((path) => textAt(record, [path])).find(isCountryCode) ?? '';
  const city = textAt(record, CITY) ?? '';
  const latitude = rounded(numberAt(record, LATITUDE, -90, 90));
  const longitude = rounded(numberAt(record, LONGITUDE, -180, 180));
  // One without the other is no place, and 0, 0 is what databases write when they do not know.
  const placed = latitude !== undefined && longitude !== undefined && (latitude !== 0 || longitude !== 0);
  if (countryCode === '' && city === '' && !placed) return undefined;
  return placed ? { countryCode, city, latitude, longitude } : { countryCode, city };
}

function isCountryCode(text: string | undefined): boolean {
  return text !== undefined && /^[A-Z]{2}$/.test(text) && !NO_COUNTRY.has(text);
}

/** To a metre, far finer than any database knows: what lies beyond comes of single precision. */
function rounded(degrees: number | undefined): number | undefined {
  return degrees === undefined ? undefined : Math.round(degrees * 100_000) / 100_000;
}
