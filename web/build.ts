// Builds the web application into web/dist: `npm run web:build`. The service also starts this script (src/service/web-files.ts).

import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { WEB_BUILD, webSourcesHash } from '../src/service/web-files.ts';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const DIST = join(ROOT, 'dist');
const COMPRESSIBLE = /\.(?:css|html|js|json|svg)$/;

interface BuiltFile {
  readonly path: string;
  readonly bytes: number;
  readonly gzip: number;
  /** Loaded before any page is shown. */
  readonly first: boolean;
}

const started = performance.now();
const hash = await webSourcesHash();
// Two builds at a time write into folders of their own. The one that ends last stays.
const folder = join(ROOT, `dist-${process.pid}`);
try {
  await build({
    root: ROOT,
    base: '/app/',
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      outDir: folder,
      target: 'es2024',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        // React Query marks its files for servers that render, which nothing here does.
        onLog: (level, log, print) => {
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') print(level, log);
        },
      },
    },
  });
  const files = await compressAll(folder);
  await writeFile(join(folder, WEB_BUILD), JSON.stringify({ hash, files }));
  await rm(DIST, { recursive: true, force: true });
  await rename(folder, DIST);
  printSizes(files);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Writes a `.gz` and a `.br` beside each file, so that the service compresses nothing itself. */
async function compressAll(from: string): Promise<BuiltFile[]> {
  const index = await readFile(join(from, 'index.html'), 'utf8');
  const names = await readdir(from, { recursive: true, withFileTypes: true });
  const paths = names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(from.length + 1));
  return Promise.all(
    paths.sort().map(async (path): Promise<BuiltFile> => {
      const bytes = await readFile(join(from, path));
      const first = path === 'index.html' || index.includes(`/app/${path}`);
      if (!COMPRESSIBLE.test(path)) return { path, bytes: bytes.length, gzip: bytes.length, first };
      const zipped = await promisify(gzip)(bytes, { level: 9 });
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      await writeFile(join(from, `${path}.gz`), zipped);
      await writeFile(join(from, `${path}.br`), await promisify(brotliCompress)(bytes, { params }));
      return { path, bytes: bytes.length, gzip: zipped.length, first };
    }),
  );
}

function printSizes(files: readonly BuiltFile[]): void {
  const sum = (end: string) =>
    files.filter(({ path, first }) => first && path.endsWith(end)).reduce((all, file) => all + file.gzip, 0);
  const kilo = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const lines = [
    `web application built in ${seconds} s; first load, gzip: script ${kilo(sum('.js'))}, style ${kilo(sum('.css'))}`,
    ...files.map(({ path, gzip: zipped, first }) => `  ${first ? '*' : ' '} ${path} ${kilo(zipped)}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
