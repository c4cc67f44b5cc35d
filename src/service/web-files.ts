// The built web application: builds it again when its sources are newer than the build.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const WEB = join(ROOT, 'web');
export const WEB_DIST = join(WEB, 'dist');

/** Describes a build: the hash of its sources, and the sizes of its files. */
export const WEB_BUILD = 'build.json';

/** What happened, for a line on the screen. */
export type WebBuild =
  | { readonly kind: 'current' }
  | { readonly kind: 'built'; readonly seconds: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** Builds the application unless the build is of these sources. A service without it still answers REST and TAXII. */
export async function ensureWebFiles(): Promise<WebBuild> {
  const started = performance.now();
  const [hash, built] = await Promise.all([webSourcesHash(), builtHash()]);
  if (hash === undefined && built === undefined) return { kind: 'failed', reason: 'web/ is missing' };
  if (hash === undefined || hash === built) return { kind: 'current' };
  try {
    await promisify(execFile)(process.execPath, [join(WEB, 'build.ts')]);
    return { kind: 'built', seconds: (performance.now() - started) / 1_000 };
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    const lines = stderr?.split('\n') ?? [];
    return { kind: 'failed', reason: lines.find((line) => /error/i.test(line)) ?? String(error) };
  }
}

/** SHA-256 of all that the build is made from. Undefined where the sources are not installed. */
export async function webSourcesHash(): Promise<string | undefined> {
  const entries = await readdir(join(WEB, 'src'), { recursive: true, withFileTypes: true }).catch(() => []);
  if (entries.length === 0) return undefined;
  const sources = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  const others = ['web/index.html', 'web/build.ts', 'web/tsconfig.json', 'package-lock.json'];
  const paths = [...sources, ...others.map((path) => join(ROOT, path))].sort();
  const hash = createHash('sha256');
  for (const path of paths) {
    hash.update(path.slice(ROOT.length)).update('\0');
    hash.update(await readFile(path)).update('\0');
  }
  return hash.digest('hex');
}

async function builtHash(): Promise<string | undefined> {
  try {
    return (JSON.parse(await readFile(join(WEB_DIST, WEB_BUILD), 'utf8')) as { hash: string }).hash;
  } catch {
    return undefined;
  }
}
