// Reading malware families from clusters of MISP galaxies (JSON with type and values of value and meta.synonyms).

import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { MalwareFamily } from '../../domain/indicator/malware-family.ts';
import { compareText } from '../../domain/sorted-list.ts';
import { dataFileError, unreadable } from './data-file-error.ts';
import { isObject, isTexts, readJsonObject, shownName } from './json-file.ts';

/** Types of the galaxies whose clusters are malware; others are of actors, countries, techniques and much more. */
const MALWARE_TYPES: ReadonlySet<unknown> = new Set([
  'android',
  'backdoor',
  'banker',
  'botnet',
  'cryptominers',
  'malpedia',
  'mitre-enterprise-attack-malware',
  'mitre-malware',
  'mitre-mobile-attack-malware',
  'ransomware',
  'rat',
  'stealer',
  'tool',
  'wiper',
]);
/** Where a checkout of the MISP project keeps them. */
const CHECKOUT_FOLDER = 'clusters';
/** Galaxies made from ATT&CK put its id behind a name. */
const ATTACK_ID = / - S\d{4}$/;
/** A name longer than this is a sentence. */
const WORD_LIMIT = 200;

/**
 * Reads files of clusters, and of folders (or the `clusters` in them) those files that are of malware.
 * @throws ServiceError failed_precondition naming the file, when one is missing or is not such a file.
 */
export async function readGalaxies(paths: readonly string[]): Promise<readonly MalwareFamily[]> {
  const families: MalwareFamily[] = [];
  for (const path of paths) families.push(...(await readPath(path)));
  return families;
}

async function readPath(path: string): Promise<readonly MalwareFamily[]> {
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (found.isDirectory()) return readFolder(path);
  const families = await readCluster(path);
  if (families === undefined)
    throw dataFileError(path, `has a \`type\` that is none of ${[...MALWARE_TYPES].join(', ')}`);
  return families;
}

async function readFolder(folder: string): Promise<readonly MalwareFamily[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw unreadable(folder, error);
  });
  if (names.includes(CHECKOUT_FOLDER)) return readFolder(join(folder, CHECKOUT_FOLDER));
  const files = names.filter((name) => extname(name) === '.json').sort(compareText);
  const clusters: (readonly MalwareFamily[])[] = [];
  for (const file of files) {
    const families = await readCluster(join(folder, file));
    if (families !== undefined) clusters.push(families);
  }
  if (clusters.length === 0) throw dataFileError(folder, 'has no galaxy of malware in it');
  return clusters.flat();
}

/** Undefined when the clusters are of something else than malware. */
async function readCluster(path: string): Promise<readonly MalwareFamily[] | undefined> {
  const { type, values } = await readJsonObject(path, 'a galaxy');
  if (typeof type !== 'string' || !Array.isArray(values)) throw dataFileError(path, 'is not a galaxy');
  if (!MALWARE_TYPES.has(type)) return undefined;
  return values.map((value: unknown, index) => {
    const family = familyOf(value);
    if (family === undefined) throw dataFileError(path, `has no name or bad synonyms at values[${index}]`);
    return family;
  });
}

function familyOf(cluster: unknown): MalwareFamily | undefined {
  if (!isObject(cluster) || typeof cluster.value !== 'string') return undefined;
  const { synonyms = [] } = isObject(cluster.meta) ? cluster.meta : {};
  const name = shownName(cluster.value).replace(ATTACK_ID, '');
  if (name === '' || !isTexts(synonyms)) return undefined;
  return { name, synonyms: synonyms.filter(({ length }) => length <= WORD_LIMIT) };
}
