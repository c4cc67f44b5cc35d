// The built files over HTTP: headers, content codings, entity tags, and paths that are no files.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { createPageFiles } from './page-files.ts';
import { registerPages } from './pages.ts';

const PAGE = '<!doctype html><title>Page</title>';
const SCRIPT = 'export const answer = 42;';

describe('the pages', () => {
  let folder: string;
  let app: FastifyInstance;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tis-pages-'));
    app = Fastify();
    registerPages(app, createPageFiles(folder));
  });
  after(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });

  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

  test('without a build the page says how to make one', async () => {
    const { body } = await get('/app/');
    assert.match(body, /npm run web:build/);
  });

  test('every path below /app shows the page, and only as this service made it', async () => {
    await build(PAGE);
    for (const path of ['/app/', '/app/queue', '/app/indicators/x?y=1']) {
      const { statusCode, headers, body } = await get(path);
      assert.equal(statusCode, 200, path);
      assert.equal(body, PAGE);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(headers['cache-control'], 'no-cache');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      const policy = String(headers['content-security-policy']);
      for (const part of [
        "default-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
      ])
        assert.ok(policy.split('; ').includes(part), part);
      assert.doesNotMatch(policy, /unsafe|\*|http/);
    }
  });

  test('assets are kept for ever, and are compressed for those who accept it', async () => {
    const plain = await get('/app/assets/a-1.js');
    assert.equal(plain.body, SCRIPT);
    assert.equal(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(plain.headers['content-encoding'], undefined);
    const brotli = await get('/app/assets/a-1.js', { 'accept-encoding': 'gzip;q=0, br' });
    assert.equal(brotli.headers['content-encoding'], 'br');
    assert.equal(brotli.headers.vary, 'Accept-Encoding');
    assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), SCRIPT);
    assert.notEqual(brotli.headers.etag, plain.headers.etag);
    const refused = await get('/app/assets/a-1.js', { 'accept-encoding': 'br;q=0' });
    assert.equal(refused.headers['content-encoding'], undefined);
    const known = await get('/app/assets/a-1.js', { 'if-none-match': String(plain.headers.etag) });
    assert.equal(known.statusCode, 304);
    assert.equal(known.body, '');
  });

  test('nothing outside the build is read', async () => {
    await writeFile(join(folder, '..', 'tis-pages-secret.js'), 'secret');
    for (const path of [
      '/app/assets/../../tis-pages-secret.js',
      '/app/assets/..%2f..%2ftis-pages-secret.js',
      '/app/assets/%2e%2e/build.json',
      '/app/assets/missing.js',
      '/app/data/missing',
      '/app/assets/a-1.js.br',
    ]) {
      const { body } = await get(path);
      assert.doesNotMatch(body, /secret'|^secret|hash/, path);
    }
    assert.match((await get('/app/data/missing')).body, /no such path/);
    assert.match((await get('/app/assets/missing.js')).body, /no such path/);
    await rm(join(folder, '..', 'tis-pages-secret.js'));
  });

  test('a new build is taken up with its page', async () => {
    await build(`${PAGE}2`);
    assert.equal((await get('/app/')).body, `${PAGE}2`);
  });

  let builds = 0;
  async function build(page: string): Promise<void> {
    await mkdir(join(folder, 'assets'), { recursive: true });
    await writeFile(join(folder, 'index.html'), page);
    await writeFile(join(folder, 'assets', 'a-1.js'), SCRIPT);
    await writeFile(join(folder, 'assets', 'a-1.js.br'), brotliCompressSync(SCRIPT));
    builds += 1;
    await writeFile(join(folder, 'build.json'), JSON.stringify({ hash: String(builds) }));
  }
});
