// Reading warning lists from folders, in the MISP format (list.json with name, version, type, matching_attributes, list).

import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { compareText } from '../../domain/sorted-list.ts';
import { LIST_KINDS, type WarningList } from '../../domain/warning-list/warning-list.ts';
import { dataFileError, unreadable } from './data-file-error.ts';
import { isTexts, readJsonObject, shownName } from './json-file.ts';

export interface WarningListFiles {
  readonly lists: readonly WarningList[];
  /** Names of lists of regular expressions, which are not used: patterns from outside are never compiled. */
  readonly skipped: readonly string[];
}

const FILE = 'list.json';
/** Where a checkout of the MISP project keeps them. */
const CHECKOUT_FOLDER = 'lists';

/**
 * Reads the lists of each folder: its own `list.json`, or those of the folders in it or in its `lists`.
 * @throws ServiceError failed_precondition naming the file, when one is missing or is not a list.
 */
export async function readWarningLists(folders: readonly string[]): Promise<WarningListFiles> {
  const lists: WarningList[] = [];
  const skipped: string[] = [];
  for (const folder of folders) {
    const paths = await findLists(folder);
    if (paths.length === 0) throw dataFileError(folder, `has no ${FILE}, nor has a folder in it`);
    for (const path of paths) {
      const list = parseList(path, await readJsonObject(path, 'a warning list'));
      if (typeof list === 'string') skipped.push(list);
      else lists.push(list);
    }
  }
  return { lists, skipped };
}

async function findLists(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw unreadable(folder, error);
  });
  if (names.includes(FILE)) return [join(folder, FILE)];
  if (names.includes(CHECKOUT_FOLDER)) return findLists(join(folder, CHECKOUT_FOLDER));
  const paths = names.sort(compareText).map((name) => join(folder, name, FILE));
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return paths.filter((_, index) => found[index]?.isFile() === true);
}

/** The list, or the name of one that is not used. */
function parseList(path: string, members: Readonly<Record<string, unknown>>): WarningList | string {
  const { name, version, type = 'string', matching_attributes: attributes = [], list } = members;
  if (typeof name !== 'string' || name.trim() === '') throw dataFileError(path, 'has no `name`');
  if (!isTexts(list)) throw dataFileError(path, 'has no `list` of texts');
  if (!isTexts(attributes)) throw dataFileError(path, 'has `matching_attributes` that are not texts');
  const shown = shownName(name);
  if (type === 'regex') return shown;
  const kind = LIST_KINDS.find((one) => one === type);
  if (kind === undefined)
    throw dataFileError(path, `has a \`type\` that is none of ${LIST_KINDS.join(', ')}, regex`);
  const dated = typeof version === 'number' || typeof version === 'string' ? String(version) : 'no version';
  return { id: basename(dirname(path)), name: shown, version: dated, kind, attributes, entries: list };
}
