// `tis data`: a package from a registry on loopback, files, and a running service that takes them up.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { tis } from '../support/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'tis-data-test-'));
const dataDir = join(folder, 'data');
const NAME = 'countries-of-a-test';
const run = promisify(execFile);
let registry: Server;
let origin: string;
let env: Record<string, string>;
/** The licence that the registry tells. */
let licence = 'CC-BY-4.0';
let tarball: Buffer;
let integrity: string;

before(async () => {
  const source = join(folder, 'package');
  mkdirSync(source);
  writeFileSync(join(source, 'package.json'), JSON.stringify({ name: NAME, version: '1.0.2026061719' }));
  writeFileSync(join(source, 'countries-ipv4.csv'), '192.0.2.0,192.0.2.255,NL\n');
  registry = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return void response.end(tarball);
    if (!request.url?.startsWith(`/${NAME}`)) return void response.writeHead(404).end('{}');
    const version = '1.0.2026061719';
    const described = { name: NAME, version, license: licence };
    const dist = { integrity, tarball: `${origin}/${NAME}.tgz` };
    const versions = { [version]: { ...described, dist } };
    const document = { name: NAME, 'dist-tags': { latest: version }, versions, time: {} };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
  env = {
    npm_config_registry: origin,
    npm_config_cache: join(folder, 'cache'),
    npm_config_fetch_retries: '0',
  };
  const packed = await run('npm', ['pack', source, '--json', '--pack-destination', folder], {
    env: { ...process.env, ...env },
  });
  const [{ filename, integrity: checksum }] = JSON.parse(packed.stdout) as [
    { filename: string; integrity: string },
  ];
  tarball = readFileSync(join(folder, filename));
  integrity = checksum;
});
after(() => {
  registry.close();
  rmSync(folder, { recursive: true, force: true });
});

function data(...words: string[]) {
  return tis(['data', ...words, '--data-dir', dataDir], { env });
}

test('a package is fetched by the npm of the user, checked and installed', async () => {
  const { code, stdout, stderr } = await data('install', 'country', NAME, '--json');
  assert.deepEqual([code, stderr], [0, `fetching ${NAME}@1.0.2026061719 (CC-BY-4.0)\n`]);
  const { installedAt, ageDays, ...installed } = JSON.parse(stdout);
  assert.deepEqual(installed, {
    name: NAME,
    version: '1.0.2026061719',
    builtAt: '2026-06-17T00:00:00.000Z',
    licence: 'CC-BY-4.0',
    integrity,
    attribution: `the authors of ${NAME}`,
    kind: 'country',
  });
  assert.ok(Date.parse(installedAt) > 0 && Number.isInteger(ageDays));
  assert.match(
    (await data('list')).stdout,
    /^country {2}countries-of-a-test {2}1\.0\.2026061719 {2}2026-06-17 /m,
  );
});

test('another licence, another checksum, or an unknown name installs nothing', async () => {
  const before = (await data('list', '--json')).stdout;
  licence = 'CC-BY-NC-4.0';
  const closed = await data('install', 'country', NAME);
  assert.match(
    closed.stderr,
    /^tis: countries-of-a-test has the licence "CC-BY-NC-4\.0", which is not known/m,
  );
  licence = 'CC0-1.0';
  integrity = `sha512-${Buffer.alloc(64).toString('base64')}`;
  const forged = await data('install', 'country', NAME);
  assert.match(forged.stderr, /^tis: npm install failed: npm error code EINTEGRITY/m);
  const unknown = await data('install', 'country', 'unknown-package-of-a-test');
  assert.match(unknown.stderr, /^tis: npm view failed: npm error code E404/m);
  const none = await data('install', 'galaxies');
  assert.match(none.stderr, /^tis: no package of galaxies is known; name a folder/);
  for (const { code } of [closed, forged, unknown, none]) assert.notEqual(code, 0);
  assert.deepEqual(JSON.parse((await data('list', '--json')).stdout), JSON.parse(before));
});

test('data is removed', async () => {
  assert.equal((await data('remove', 'country')).stdout, 'country is removed\n');
  assert.match((await data('list')).stdout, /^no data is installed/);
});
