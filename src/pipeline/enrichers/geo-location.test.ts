import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GeoLocation } from '../../domain/indicator/indicator.ts';
import { type AddressRange, contains, parseCidr } from '../../domain/observable/address.ts';
import type { IndicatorType } from '../../domain/vocabulary.ts';
import type { AddressDatabase } from './address-database.ts';
import { found, signalOf } from './enricher.test-support.ts';
import { geoLocation } from './geo-location.ts';

/** A database with one record for 192.0.2.0/24 and 2001:db8::/32. */
function database(record: unknown, name = 'Places'): AddressDatabase {
  const ranges = ['192.0.2.0/24', '2001:db8::/32'].map((text) => parseCidr(text) as AddressRange);
  return {
    dataset: { name, builtAt: 7 },
    lookup: ({ network }) => (ranges.some((range) => contains(range, network)) ? record : undefined),
    records: () => [record],
  };
}

function located(record: unknown): GeoLocation | undefined {
  return found(geoLocation([database(record)]), signalOf([{}])).geo;
}

test('the nested shape', () => {
  const record = {
    city: { geoname_id: 1, names: { de: 'Delft (Stadt)', en: 'Delft' } },
    country: { iso_code: 'NL', names: { en: 'Netherlands' } },
    location: { latitude: 52.01, longitude: 4.36, accuracy_radius: 20 },
    registered_country: { iso_code: 'US' },
  };
  assert.deepEqual(located(record), { countryCode: 'NL', city: 'Delft', latitude: 52.01, longitude: 4.36 });
  assert.equal(located({ registered_country: { iso_code: 'US' } }), undefined, 'where its holder is');
});

test('the flat shapes, with numbers as numbers or as texts', () => {
  const place = { countryCode: 'NL', city: 'Delft', latitude: 52.01, longitude: -4.36 };
  const flat = { city: 'Delft', country_code: 'NL', latitude: 52.01, longitude: -4.36, state1: 'ZH' };
  assert.deepEqual(located(flat), place);
  assert.deepEqual(located({ city: 'Delft', country: 'NL', lat: '52.0100004', lng: '-4.36' }), place);
  assert.deepEqual(located({ country: 'Netherlands', country_code: 'NL', continent: 'Europe' }), {
    countryCode: 'NL',
    city: '',
  });
});

test('unknown members are left out', () => {
  for (const record of [undefined, null, 'NL', 7, [], {}, { city: '' }, { country: { iso_code: 'ZZ' } }]) {
    assert.equal(located(record), undefined, JSON.stringify(record));
  }
  for (const record of [
    { country_code: 'NL', latitude: 0, longitude: 0 },
    { country_code: 'NL', latitude: 52.01 },
    { country_code: 'NL', latitude: 91, longitude: 4 },
    { country_code: 'NL', lat: '', lng: 'x' },
    { country: 'nl', country_code: 'NL', latitude: Number.NaN, longitude: 4 },
  ]) {
    assert.deepEqual(located(record), { countryCode: 'NL', city: '' }, JSON.stringify(record));
  }
  assert.deepEqual(located({ city: 'A\u0000\n b  c' }), { countryCode: '', city: 'A b c' });
});

test('the indicators that have a location', () => {
  const enricher = geoLocation([database({ country_code: 'NL' })]);
  const signal = (type: IndicatorType, value: string) => {
    const { record, ...rest } = signalOf([{}]);
    return { ...rest, record: { ...record, indicator: { ...record.indicator, type, value } } };
  };
  const known = (type: IndicatorType, value: string) =>
    enricher.appliesTo(signal(type, value)) && found(enricher, signal(type, value)).geo !== undefined;
  assert.ok(known('IPV6', '2001:db8::1'));
  assert.ok(known('CIDR', '192.0.2.0/25'));
  assert.ok(known('URL', 'http://192.0.2.1/x'));
  assert.ok(known('URL', 'http://[2001:db8::1]/'));
  assert.ok(!known('IPV4', '198.51.100.1'), 'not in the database');
  for (const [type, value] of [
    ['IPV4', '10.0.0.1'],
    ['URL', 'http://192.168.0.1/'],
    ['URL', 'http://example.com/'],
    ['DOMAIN', 'example.com'],
    ['FILE_HASH_MD5', 'd41d8cd98f00b204e9800998ecf8427e'],
  ] as const) {
    assert.equal(enricher.appliesTo(signal(type, value)), false, value);
  }
});

test('only the data set that answered is named', () => {
  const enricher = geoLocation([database({}, 'Empty'), database({ country_code: 'NL' }, 'Full')]);
  assert.deepEqual(found(enricher, signalOf([{}])).datasets, [{ name: 'Full', builtAt: 7 }]);
  assert.deepEqual(found(geoLocation([database({})]), signalOf([{}])), {});
});
