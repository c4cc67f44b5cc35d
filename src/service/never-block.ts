// Reads the never-block list (TIS_NEVER_BLOCK): entries, and files with an entry on each line.

import { readFile } from 'node:fs/promises';
import {
  createNeverBlock,
  type NeverBlock,
  type NeverBlockEntry,
  parseNeverBlock,
} from '../domain/never-block/never-block.ts';
import { ConfigError } from '../variables.ts';

const ENTRY_LIMIT = 100_000;

/** @throws ConfigError that names every line of a file that is no entry. */
export async function loadNeverBlock(items: readonly string[]): Promise<NeverBlock> {
  const faults: string[] = [];
  const entries: NeverBlockEntry[] = [];
  for (const item of items) {
    const entry = parseNeverBlock(item);
    if (entry === undefined) entries.push(...(await readEntries(item, faults)));
    else entries.push(entry);
  }
  if (entries.length > ENTRY_LIMIT) faults.push(`has more than ${ENTRY_LIMIT} entries`);
  if (faults.length > 0) throw new ConfigError(faults.map((fault) => `TIS_NEVER_BLOCK: ${fault}`));
  return createNeverBlock(entries);
}

/** `#` begins a comment. */
async function readEntries(path: string, faults: string[]): Promise<readonly NeverBlockEntry[]> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) {
    faults.push(`${path} cannot be read`);
    return [];
  }
  return text.split('\n').flatMap((line, index) => {
    const given = line.replace(/#.*/, '').trim();
    if (given === '') return [];
    const entry = parseNeverBlock(given);
    if (entry === undefined) faults.push(`${path}: line ${index + 1} is no address, range or domain`);
    return entry ?? [];
  });
}
