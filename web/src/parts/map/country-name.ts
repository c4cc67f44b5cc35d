// The names of countries, as the browser knows them.

const NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'code' });

/** The code itself for text that is no country code. */
export function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (NAMES.of(code) ?? code) : code;
}
