// The input of `tis ingest`: opens files and standard input, unpacks gzip and finds the format.

import { open, stat } from 'node:fs/promises';
import { detectFormat, FORMATS, formatNamed } from '../../sensors/detect.ts';
import { counted, unpacked } from '../../sensors/framing/byte-source.ts';
import type { SensorFormat } from '../../sensors/reader.ts';
import { CliError } from '../terminal.ts';

const STANDARD_INPUT = '-';
const READ_BYTES = 262_144;
const FORMAT_CHOICES = ['auto', ...FORMATS].join(', ');

/** An open log: its format and its unpacked bytes. */
export interface LogInput {
  readonly format: SensorFormat;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Looks at every file before the first one is read, so that a wrong name or an unknown format changes nothing. A pipe can
 * be read only once, so its format is found when it is read.
 *
 * Resolves to the size of all files together, undefined if one of them is a pipe. Rejects with a CliError.
 */
export async function examineLogs(files: readonly string[], format: string): Promise<number | undefined> {
  if (format !== 'auto' && formatNamed(format) === undefined) {
    throw new CliError(`--format: ${JSON.stringify(format)} is not one of ${FORMAT_CHOICES}`);
  }
  if (files.filter((file) => file === STANDARD_INPUT).length > 1) {
    throw new CliError('standard input (-) can be read only once');
  }
  const sizes: (number | undefined)[] = [];
  for (const file of files) {
    const size = file === STANDARD_INPUT ? undefined : await sizeOf(file);
    sizes.push(size);
    if (size !== undefined) await withFile(file, (bytes) => inputOf(file, format, unpacked(bytes)));
  }
  return sizes.reduce(
    (total, size) => (total === undefined || size === undefined ? undefined : total + size),
    0,
  );
}

/**
 * Opens a log, hands it to `use` and closes it, also after an error.
 * @param format a name of FORMATS, or `auto`.
 * @param stdin the input that `-` names.
 * @param onBytes called with the number of bytes read from the file, before unpacking.
 */
export async function withLog<Result>(
  file: string,
  format: string,
  stdin: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
  use: (input: LogInput) => Promise<Result>,
): Promise<Result> {
  const read = async (bytes: AsyncIterable<Uint8Array>): Promise<Result> =>
    use(await inputOf(file, format, unpacked(counted(bytes, onBytes))));
  return file === STANDARD_INPUT ? read(stdin) : withFile(file, read);
}

async function withFile<Result>(
  file: string,
  use: (bytes: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  await using handle = await open(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  return await use(handle.createReadStream({ autoClose: false, highWaterMark: READ_BYTES }));
}

async function inputOf(file: string, format: string, bytes: AsyncIterable<Uint8Array>): Promise<LogInput> {
  const named = formatNamed(format);
  if (named !== undefined) return { format: named, bytes };
  const detected = await detectFormat(bytes).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  if (detected.format === undefined) {
    throw new CliError(`${file}: unknown format; name it with --format (${FORMATS.join(', ')})`);
  }
  return { format: detected.format, bytes: detected.bytes };
}

/** Undefined for anything but a regular file, such as a named pipe. */
async function sizeOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  if (found.isDirectory()) throw new CliError(`${file}: is a directory`);
  return found.isFile() ? found.size : undefined;
}

function unreadable(file: string, error: unknown): CliError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  if (code.startsWith('Z_')) return new CliError(`${file}: damaged gzip data`);
  if (code === 'ENOENT') return new CliError(`${file}: no such file`);
  return new CliError(`${file}: ${code === 'EACCES' ? 'permission denied' : code}`);
}
