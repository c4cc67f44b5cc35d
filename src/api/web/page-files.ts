// The built web application in memory, with its compressed forms. A build that is made meanwhile is taken up.

import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** Bytes and entity tag by content coding. */
export interface PageFile {
  readonly type: string;
  readonly codings: ReadonlyMap<'br' | 'gzip' | 'identity', { readonly bytes: Buffer; readonly tag: string }>;
}

export interface PageFiles {
  /** @param path below the folder, such as `assets/main-1234.js`. */
  find(path: string): Promise<PageFile | undefined>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** @param folder of the build. It may be missing, and may be made or replaced at any time. */
export function createPageFiles(folder: string): PageFiles {
  let loaded: { readonly version: number; readonly files: ReadonlyMap<string, PageFile> } | undefined;
  let loading: Promise<void> | undefined;

  const refresh = async () => {
    const version = await versionOf(folder);
    if (version !== undefined && version !== loaded?.version) {
      loaded = { version, files: await load(folder) };
    }
  };
  return {
    find: async (path) => {
      // The page names all other files, so only the page asks for a newer build.
      if (loaded === undefined || path === 'index.html') {
        loading ??= refresh().finally(() => {
          loading = undefined;
        });
        await loading;
      }
      return loaded?.files.get(path);
    },
  };
}

async function versionOf(folder: string): Promise<number | undefined> {
  try {
    return (await stat(join(folder, 'build.json'))).mtimeMs;
  } catch {
    return undefined;
  }
}

async function load(folder: string): Promise<Map<string, PageFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/'))
    .map((path) => path.replace(/^\//, ''));
  const present = new Set(paths);
  const files = new Map<string, PageFile>();
  for (const path of paths) {
    const type = TYPES[extname(path)];
    if (type === undefined || path === 'build.json') continue;
    const codings = new Map<'br' | 'gzip' | 'identity', { bytes: Buffer; tag: string }>();
    const add = async (coding: 'br' | 'gzip' | 'identity', end: string) => {
      if (!present.has(path + end)) return;
      const bytes = await readFile(join(folder, path + end));
      const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
      codings.set(coding, { bytes, tag: `"${digest}"` });
    };
    await add('br', '.br');
    await add('gzip', '.gz');
    await add('identity', '');
    files.set(path, { type, codings });
  }
  return files;
}
