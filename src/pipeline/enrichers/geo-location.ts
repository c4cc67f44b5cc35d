// The location of an address, from databases that the operator provides.

import type { GeoLocation } from '../../domain/indicator/indicator.ts';
import { publicAddressesOf } from '../../domain/indicator/indicator-address.ts';
import type { Enricher } from '../enricher.ts';
import { type AddressDatabase, firstAnswer, numberAt, textAt } from './address-database.ts';

// MaxMind and DB-IP nest these members. ipinfo and repackagers of DB-IP write them flat. MaxMind's `registered_country`
// is not read: it is the country of the holder, not of the address.
const COUNTRY = ['country.iso_code', 'country_code', 'country'];
const CITY = ['city.names.en', 'city'];
const LATITUDE = ['location.latitude', 'latitude', 'lat'];
const LONGITUDE = ['location.longitude', 'longitude', 'lng', 'lon'];

/** User-assigned codes of ISO 3166-1 that databases write for an unknown country. */
const NO_COUNTRY: ReadonlySet<string> = new Set(['XX', 'ZZ']);

/** @param databases in order of preference. */
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

/** Undefined if the record contains no location. */
export function readLocation(record: unknown): GeoLocation | undefined {
  if (record === undefined) return undefined;
  const countryCode = COUNTRY.map((path) => textAt(record, [path])).find(isCountryCode) ?? '';
  const city = textAt(record, CITY) ?? '';
  const latitude = rounded(numberAt(record, LATITUDE, -90, 90));
  const longitude = rounded(numberAt(record, LONGITUDE, -180, 180));
  // Databases write 0, 0 for an unknown place.
  const placed = latitude !== undefined && longitude !== undefined && (latitude !== 0 || longitude !== 0);
  if (countryCode === '' && city === '' && !placed) return undefined;
  return placed ? { countryCode, city, latitude, longitude } : { countryCode, city };
}

function isCountryCode(text: string | undefined): boolean {
  return text !== undefined && /^[A-Z]{2}$/.test(text) && !NO_COUNTRY.has(text);
}

/** To about a metre. Databases store single precision, so further digits are noise. */
function rounded(degrees: number | undefined): number | undefined {
  return degrees === undefined ? undefined : Math.round(degrees * 100_000) / 100_000;
}
