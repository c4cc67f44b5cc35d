// Licences of data packages. A package is installed only under a licence that lets anybody use the data for any purpose,
// at most with an attribution. GeoLite2 has an agreement of its own, so its file has to come from the user.

/** SPDX identifiers, with what they ask for. */
const OPEN_LICENCES: ReadonlyMap<string, 'nothing' | 'attribution'> = new Map([
  ['CC0-1.0', 'nothing'],
  ['PDDL-1.0', 'nothing'],
  ['Unlicense', 'nothing'],
  ['0BSD', 'nothing'],
  ['CC-BY-3.0', 'attribution'],
  ['CC-BY-4.0', 'attribution'],
  ['ODC-By-1.0', 'attribution'],
  ['MIT', 'attribution'],
  ['BSD-2-Clause', 'attribution'],
  ['BSD-3-Clause', 'attribution'],
  ['Apache-2.0', 'attribution'],
]);

export interface OpenLicence {
  /** SPDX identifier. */
  readonly id: string;
  readonly asks: 'nothing' | 'attribution';
}

/**
 * @param text the member `license` of a package, such as `CC0-1.0` or `SEE LICENSE IN DBIP-LICENSE (CC-BY-4.0)`.
 * @returns undefined for any other licence.
 */
export function openLicenceOf(text: string): OpenLicence | undefined {
  const [, inBrackets] = /^SEE LICENSE IN .*\(([^()]+)\)$/i.exec(text) ?? [];
  const id = inBrackets ?? text;
  const asks = OPEN_LICENCES.get(id);
  return asks === undefined ? undefined : { id, asks };
}
