// JSON files that an operator brings: read, and their names made fit to be shown.

import { readFile } from 'node:fs/promises';
import { dataFileError, unreadable } from './data-file-error.ts';

/** Names are shown to people, in summaries and in the feed. */
const NAME_LIMIT = 200;

/**
 * The members of the object in a file.
 * @param what the file should hold, such as `a warning list`.
 * @throws ServiceError failed_precondition naming the file.
 */
export async function readJsonObject(path: string, what: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable(path, error);
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw dataFileError(path, 'is not JSON', error);
  }
  if (!isObject(json)) throw dataFileError(path, `is not ${what}`);
  return json;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** A name on one line, without what does not print; empty when nothing is left. */
export function shownName(name: string): string {
  return name
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, NAME_LIMIT);
}
