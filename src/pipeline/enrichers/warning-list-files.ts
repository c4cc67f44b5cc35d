// Warning lists in folders, in the MISP format: list.json with name, version, type, matching_attributes and list.

import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { compareText } from '../../domain/sorted-list.ts';
import { LIST_KINDS, type WarningList } from '../../domain/warning-list/warning-list.ts';
import { dataFileError, unreadable } from './data-file.ts';
import { DISPLAY_NAME, parseJson, readJson } from './json-file.ts';

export interface WarningListFiles {
  readonly lists: readonly WarningList[];
  /** Names of the lists of regular expressions. They are not used: the service compiles no pattern from outside. */
  readonly skipped: readonly string[];
}

const FILE = 'list.json';
/** The folder of the lists in a checkout of misp-warninglists. */
const CHECKOUT_FOLDER = 'lists';

const WARNING_LIST = z.object({
  name: DISPLAY_NAME,
  version: z.union([z.number(), z.string()]).transform(String).catch('no version'),
  type: z.enum([...LIST_KINDS, 'regex']).default('string'),
  matching_attributes: z.array(z.string()).default([]),
  list: z.array(z.string()),
});

/**
 * Reads the lists of each folder: its own `list.json`, or those of its subfolders or of the subfolders of its `lists`.
 * @throws ServiceError failed_precondition naming the file that is missing or not a list.
 */
export async function readWarningLists(folders: readonly string[]): Promise<WarningListFiles> {
  const lists: WarningList[] = [];
  const skipped: string[] = [];
  for (const folder of folders) {
    const paths = await findLists(folder);
    if (paths.length === 0) throw dataFileError(folder, `has no ${FILE}, and none of its folders has one`);
    for (const path of paths) {
      const file = parseJson(path, await readJson(path), WARNING_LIST, 'a warning list');
      const { name, version, type: kind, matching_attributes: attributes, list: entries } = file;
      if (kind === 'regex') skipped.push(name);
      else lists.push({ id: basename(dirname(path)), name, version, kind, attributes, entries });
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
