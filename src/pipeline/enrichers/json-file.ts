// JSON files that an operator provides, checked against a schema.

import { z } from 'zod';
import { dataFileError, displayName, readDataFile } from './data-file.ts';

/** Faults that a message lists. A file of the wrong kind has one in every entry. */
const FAULT_LIMIT = 5;

/** A name that people will read. */
export const DISPLAY_NAME = z
  .string()
  .transform(displayName)
  .refine((name) => name !== '', 'must not be blank');

/** @throws ServiceError failed_precondition naming the file. */
export async function readJson(path: string): Promise<unknown> {
  const text = await readDataFile(path);
  try {
    return JSON.parse(text.toString());
  } catch (error) {
    throw dataFileError(path, 'is not JSON', error);
  }
}

/**
 * @param kind what the file should contain, such as `a warning list`.
 * @throws ServiceError failed_precondition naming the file and the place of each fault.
 */
export function parseJson<Schema extends z.ZodType>(
  path: string,
  json: unknown,
  schema: Schema,
  kind: string,
): z.output<Schema> {
  const { data, error } = schema.safeParse(json);
  if (error === undefined) return data as z.output<Schema>;
  const faults = error.issues.slice(0, FAULT_LIMIT).map(describeIssue);
  const more = error.issues.length - faults.length;
  if (more > 0) faults.push(`${more} more`);
  throw dataFileError(path, `is not ${kind}: ${faults.join('; ')}`);
}

/** `values[1].value: expected string, received undefined` */
function describeIssue({ path, message }: z.core.$ZodIssue): string {
  const fault = message.replace(/^Invalid \w+: /, '');
  return path.length === 0 ? fault : `${z.core.toDotPath(path)}: ${fault}`;
}
