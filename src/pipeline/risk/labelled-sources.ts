// Sources of names that are known to be bad or good: files and folders that the user names.

import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { parse } from 'tldts';
import { compareText } from '../../domain/sorted-list.ts';
import { BUILT_IN_LISTS } from '../../domain/warning-list/built-in-lists.ts';
import { readDataFile, unreadable } from '../enrichers/data-file.ts';
import { hostsIn } from './hosts-in-text.ts';

export interface LabelledSource {
  readonly name: string;
  readonly isBad: boolean;
  readonly hosts: readonly string[];
  /** SHA-256 over the files, hex. */
  readonly sha256: string;
}

/** Sources that share this much of the smaller one have one origin. They are left out together. */
const ONE_ORIGIN = 0.2;
/** Smaller sources are trained on, but say nothing about a model. */
export const LEAST_TO_MEASURE = 50;
const BOTH_SECTIONS = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
};

/** Each file that is named is a source, and each file or folder in a folder that is named. */
export async function readSources(paths: readonly string[], isBad: boolean): Promise<LabelledSource[]> {
  const sources: LabelledSource[] = [];
  for (const path of paths)
    for (const part of (await isFolder(path)) ? await entriesOf(path) : [path])
      sources.push(await readSource(part, isBad));
  return sources.filter(({ hosts }) => hosts.length > 0);
}

async function readSource(path: string, isBad: boolean): Promise<LabelledSource> {
  const hosts = new Set<string>();
  const sum = createHash('sha256');
  for (const file of await filesOf(path)) {
    const content = await readDataFile(file);
    sum.update(content);
    for (const host of hostsIn(content.toString())) hosts.add(host);
  }
  return { name: basename(path), isBad, hosts: [...hosts], sha256: sum.digest('hex') };
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  return found.isDirectory();
}

async function entriesOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => !name.startsWith('.'))
    .sort(compareText)
    .map((name) => join(folder, name));
}

async function filesOf(path: string): Promise<readonly string[]> {
  if (!(await isFolder(path))) return [path];
  const files: string[] = [];
  for (const entry of await entriesOf(path)) files.push(...(await filesOf(entry)));
  return files;
}

/** The part of a host that one party registered. */
export function registeredName(host: string): string {
  return parse(host, BOTH_SECTIONS).domain ?? host;
}

/**
 * Makes the sources fit to measure with. Names of one origin become one source. A bad name whose registered part is also
 * that of a good one, or of a well-known service, is left out: feeds name hacked and borrowed hosts.
 */
export function cleaned(sources: readonly LabelledSource[]): readonly LabelledSource[] {
  const good = new Set(BUILT_IN_LISTS.flatMap(({ entries }) => entries));
  for (const { isBad, hosts } of sources)
    if (!isBad) for (const host of hosts) good.add(registeredName(host));
  const plain = sources.map((source) =>
    source.isBad
      ? { ...source, hosts: source.hosts.filter((host) => !good.has(registeredName(host))) }
      : source,
  );
  return byOrigin(plain.filter(({ hosts }) => hosts.length > 0));
}

function byOrigin(sources: readonly LabelledSource[]): readonly LabelledSource[] {
  const origins: LabelledSource[] = [];
  for (const source of sources.toSorted((one, other) => other.hosts.length - one.hosts.length)) {
    const at = origins.findIndex((origin) => origin.isBad === source.isBad && areOneOrigin(origin, source));
    const origin = origins[at];
    if (origin === undefined) origins.push(source);
    else origins[at] = united(origin, source);
  }
  return origins;
}

function areOneOrigin(large: LabelledSource, small: LabelledSource): boolean {
  const known = new Set(large.hosts);
  return small.hosts.filter((host) => known.has(host)).length >= ONE_ORIGIN * small.hosts.length;
}

function united(one: LabelledSource, other: LabelledSource): LabelledSource {
  const sha256 = createHash('sha256').update(one.sha256).update(other.sha256).digest('hex');
  return {
    name: `${one.name}, ${other.name}`,
    isBad: one.isBad,
    hosts: [...new Set([...one.hosts, ...other.hosts])],
    sha256,
  };
}
