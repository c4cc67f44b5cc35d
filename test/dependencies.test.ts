// The lock file names everything that an installation runs, Node included, and nothing runs while npm installs.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
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
