// The lock file names everything that an installation runs, Node included, and nothing runs while npm installs.

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** What this test reads of an entry of the lock file. */
interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  readonly bin?: { readonly node?: string };
  readonly hasInstallScript?: boolean;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const AUDIT = [process.execPath, join(ROOT, 'bin', 'audit.ts')] as const;
const PLATFORMS = ['linux x64', 'linux arm64', 'darwin x64', 'darwin arm64', 'win32 x64'];

const { '': root, ...locked } = (
  JSON.parse(await textOf('package-lock.json')) as { packages: Readonly<Record<string, LockedPackage>> }
).packages;

function textOf(path: string): Promise<string> {
  return readFile(new URL(`../${path}`, import.meta.url), 'utf8');
}

/** The packages with a `node` that npm installs on this platform. */
function nodesOf(platform: string): readonly LockedPackage[] {
  const [os = '', cpu = ''] = platform.split(' ');
  const runsHere = (names: LockedPackage['os'], own: string) => [names ?? own].flat().includes(own);
  return Object.values(locked).filter(
    (entry) => entry.bin?.node !== undefined && runsHere(entry.os, os) && runsHere(entry.cpu, cpu),
  );
}

test('every package that is installed to run the service is locked by its content', () => {
  assert.ok(root !== undefined && Object.keys(locked).length > 50);
  for (const [path, { version, integrity, dev, optional }] of Object.entries(locked)) {
    assert.match(version ?? '', /^\d+\.\d+\.\d+/, path);
    // npm writes no content of a package that it could not look up: tools for development on other platforms.
    if (integrity !== undefined || !(dev === true && optional === true))
      assert.match(integrity ?? '', /^sha512-[\w+/]{86}==$/, path);
  }
});

for (const platform of PLATFORMS) {
  test(`the lock file names one Node for ${platform}`, () => {
    const nodes = nodesOf(platform);
    assert.equal(nodes.length, 1);
    assert.ok(nodes.every(({ os, cpu, optional, dev }) => os && cpu && optional === true && dev !== true));
  });
}

test('npm scripts run the locked Node', {
  skip: !PLATFORMS.includes(`${process.platform} ${process.arch}`),
}, () => {
  const node = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
  const version = execFileSync(node, ['--version'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  assert.equal(version.trim(), `v${nodesOf(`${process.platform} ${process.arch}`)[0]?.version}`);
});

test('no package runs anything when it is installed', async () => {
  const withScript = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript === true);
  // A tool for development. Its script only looks for a package that the lock file has.
  assert.deepEqual(
    withScript.map(([path, { dev }]) => [path, dev]),
    [['node_modules/@bufbuild/buf', true]],
  );
  assert.match(await textOf('.npmrc'), /^ignore-scripts=true$/m);
});

test('every package that the project names has its reason', async () => {
  const manifest = JSON.parse(await textOf('package.json')) as Readonly<
    Record<string, Record<string, string>>
  >;
  const named = ['dependencies', 'optionalDependencies', 'devDependencies'].flatMap((member) =>
    Object.keys(manifest[member] ?? {}),
  );
  const decision = await textOf('docs/decisions/0001-runtime-and-tooling.md');
  const reasons = decision.split('\n').flatMap((line) => {
    const [, cell = ''] = /^\| (`[^|]+) \|/.exec(line) ?? [];
    return [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  });
  assert.deepEqual(reasons.sort(), named.sort());
});

/** Runs a command whose npm asks a registry that answers every question about vulnerabilities with this. */
async function run(words: readonly [string, ...string[]], status: number, answer: unknown) {
  const registry = createServer((request, response) => {
    request.resume();
    const isQuestion = request.method === 'POST' && /\/advisories\/bulk$/.test(request.url ?? '');
    response.writeHead(isQuestion ? status : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  await once(registry.listen(0, '127.0.0.1'), 'listening');
  const { port } = registry.address() as AddressInfo;
  // npm remembers answers about vulnerabilities.
  const cache = await mkdtemp(join(tmpdir(), 'tis-npm-'));
  try {
    return await new Promise<{ code: unknown; stdout: string }>((resolve) => {
      const options = {
        cwd: ROOT,
        env: { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: cache },
        maxBuffer: 1 << 26,
        shell: process.platform === 'win32',
      };
      const [command, ...others] = words;
      execFile(command, others, options, (error, stdout) =>
        resolve({ code: error === null ? 0 : error.code, stdout }),
      );
    });
  } finally {
    registry.closeAllConnections();
    registry.close();
    await rm(cache, { recursive: true });
  }
}

test('an audit tells a finding from a registry that cannot answer', async () => {
  const advisory = { id: 1, url: 'https://example.org/1', title: 'Made up', severity: 'high' };
  const [clean, found, unknown] = await Promise.all([
    run(AUDIT, 200, {}),
    run(AUDIT, 200, { fastify: [{ ...advisory, vulnerable_versions: '<99.0.0' }] }),
    run(AUDIT, 405, {}),
  ]);
  assert.deepEqual([clean.code, clean.stdout], [0, 'audit: 0 packages with known vulnerabilities\n']);
  assert.equal(found.code, 1);
  assert.match(found.stdout, /^audit: high: fastify\b.*: Made up \(https:\/\/example\.org\/1\)\n/);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stdout, /^audit: unknown: the registry did not answer: 405 /);
});

test('the bill of materials has every package, says which ones run, and asks no registry', async () => {
  const { code, stdout } = await run(['npm', 'run', '--silent', 'sbom'], 500, {});
  assert.equal(code, 0);
  const { bomFormat, metadata, components } = JSON.parse(stdout);
  assert.equal(bomFormat, 'CycloneDX');
  assert.equal(metadata.component.purl, 'pkg:npm/threat-indicator-service@0.1.0');
  const listed = components as {
    readonly name: string;
    readonly version: string;
    readonly hashes?: readonly { readonly alg: string }[];
    readonly properties?: readonly { readonly name: string }[];
  }[];
  const isDevelopment = 'cdx:npm:package:development';
  const runs = listed.filter(({ properties = [] }) => !properties.some(({ name }) => name === isDevelopment));
  assert.deepEqual(
    runs.filter(({ hashes }) => hashes?.[0]?.alg !== 'SHA-512'),
    [],
  );
  const expected = Object.entries(locked).flatMap(([path, { dev, version }]) =>
    dev === true ? [] : [`${path.replace(/^.*node_modules\//, '')} ${version}`],
  );
  assert.deepEqual(runs.map(({ name, version }) => `${name} ${version}`).sort(), expected.sort());
  assert.equal(listed.length, Object.keys(locked).length);
});
