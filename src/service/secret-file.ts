// A secret that the configuration names by its file.

import { readFile } from 'node:fs/promises';
import { ConfigError } from '../variables.ts';

const MAX_LENGTH = 4_096;

/**
 * The first line of the file.
 * @param variable names the file. @throws ConfigError that names both, and repeats nothing of the content.
 */
export async function readSecret(variable: string, path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError([`${variable}: ${path} cannot be read (${error.code ?? 'unknown'})`]);
  });
  const [secret = ''] = text.split(/\r?\n/, 1);
  if (secret === '' || secret.length > MAX_LENGTH)
    throw new ConfigError([`${variable}: the first line of ${path} is no secret`]);
  return secret;
}
