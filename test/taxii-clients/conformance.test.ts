// The conformance suite, built and installed like a published package, against the service.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Fault, KEY, startModel } from '../../packages/taxii-conformance/test/model-server.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent, events } from '../support/sensor-events.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGE = join(ROOT, 'packages', 'taxii-conformance');
const WAIVERS = fileURLToPath(new URL('./waivers.json', import.meta.url));

/** Rules that need HTTPS, and rules about reading and deleting in a write-only collection. */
const SKIPPED = [
  'transport: the server is reached by HTTPS',
  'writing: what was added can be read',
  'writing: what was deleted is 404',
];

interface ForeignBody {
  readonly versions?: readonly string[];
  readonly collections?: readonly object[];
}

interface Report {
  readonly collection: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly findings: readonly {
    readonly title: string;
    readonly level: string;
    readonly outcome: string;
    readonly reason: string;
  }[];
}

let service: RunningService;
let folder: string;
let installed: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'taxii-conformance-'));
  // Node strips no types below node_modules, so the package has to be built.
  installed = join(folder, 'node_modules', 'taxii-conformance');
  await mkdir(installed, { recursive: true });
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const built = await node([tsc, '-p', PACKAGE, '--outDir', join(installed, 'dist')]);
  assert.equal(built.code, 0, built.stdout);
  await copyFile(join(PACKAGE, 'package.json'), join(installed, 'package.json'));

  service = await RunningService.start();
  const sensor = service.as(await service.key({ sensor: true }));
  await sensor.ingest([
    ...events(40),
    ...['198.51.100.1', '198.51.100.2'].map((value) => anEvent({ value, tags: ['once'] })),
  ]);
  await service.settled();
  // More versions of some of them.
  await sensor.ingest(['198.51.100.1', '198.51.100.2'].map((value) => anEvent({ value, tags: ['again'] })));
  await service.settled();
});
after(async () => {
  await service.dispose();
  await rm(folder, { recursive: true });
});

interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function node(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  // The tests must not inherit a credential from the environment.
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TAXII_'));
  const env = { ...Object.fromEntries(inherited), ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [...words], { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

function suite(...words: readonly string[]): Promise<Finished> {
  return node([join(installed, 'dist', 'cli.js'), '--url', service.url, ...words]);
}

test('every rule holds that could be tried, but for the departures that are explained', async () => {
  const key = await service.key({ scopes: ['feed:write'] });
  const { code, stdout, stderr } = await suite(
    ...['--collection', 'service-global-feed', '--collection-writable', 'partner-reports'],
    ...['--key', key, '--waivers', WAIVERS, '--json'],
  );
  assert.equal(stderr, '');
  const { collection, findings, counts } = JSON.parse(stdout) as Report;
  assert.match(collection, /service-global-feed/);
  const others = findings.filter(({ outcome }) => outcome === 'fail' || outcome === 'warning');
  assert.deepEqual(others, []);
  assert.equal(code, 0);
  assert.equal(counts.waived, 2);
  const skipped = findings.filter(({ outcome }) => outcome === 'skipped');
  assert.deepEqual(
    skipped.map(({ title }) => title),
    SKIPPED,
  );
});

test('the waivers of the service excuse no other server, though it breaks the same rules', async () => {
  const foreign: Fault = (request, serve) => {
    const answer = serve(request);
    const { versions = [], collections } = (answer.body ?? {}) as ForeignBody;
    if (request.path === '/taxii2/')
      return { ...answer, body: { ...(answer.body as object), versions: [...versions, '2.1'] } };
    if (collections === undefined) return answer;
    return { ...answer, body: { collections: [{ ...collections[0], id: 'not-a-uuid' }] } };
  };
  await using server = await startModel(foreign);
  const cli = join(installed, 'dist', 'cli.js');
  const words = ['--url', server.url.href, '--key', KEY, '--waivers', WAIVERS, '--json'];
  const { code, stdout } = await node([cli, ...words]);
  const { findings, counts } = JSON.parse(stdout) as Report;
  assert.equal(code, 1);
  assert.equal(counts.waived, 0);
  const broken = findings.filter(({ outcome }) => outcome === 'fail').map(({ title }) => title);
  for (const { rule } of JSON.parse(await readFile(WAIVERS, 'utf8')) as { rule: string }[])
    assert.ok(broken.includes(rule), rule);
});

test('without the waivers the exit code is 1, and each line names its section', async () => {
  const { code, stdout } = await suite('--basic', `any:${await service.key()}`, '--limit', '20');
  assert.equal(code, 1);
  const lines = stdout.trim().split('\n');
  assert.ok(lines.includes('5.4 objects: added_after is exclusive ... ok'));
  assert.ok(
    lines.includes(
      '5.2.1 collections: each id is a UUID of version 4 ... FAIL: "service-global-feed" is not',
    ),
  );
  for (const line of lines.slice(0, -2)) assert.match(line, /^(\S+ ){1,3}\S.* \.\.\. (ok|FAIL: |skipped: )/);
  assert.match(lines.at(-1) ?? '', /^\d+ rules at \/taxii2\/collections\/.*\/ with \d+ requests: /);
});

test('the credential may stand in the environment, and is told to nobody', async () => {
  const key = await service.key();
  const cli = join(installed, 'dist', 'cli.js');
  const words = ['--url', service.url, '--limit', '20'];
  for (const [given, ...more] of [
    [{ TAXII_KEY: key }],
    [{ TAXII_TOKEN: key }, '--json'],
    [{ TAXII_BASIC: `any:${key}` }],
    [{ TAXII_KEY: 'wrong' }, '--key', key],
  ] as const) {
    const { code, stdout, stderr } = await node([cli, ...words, ...more], given);
    assert.deepEqual([code, stderr], [1, ''], 'only what would be waived is broken');
    assert.match(stdout, /objects: added_after is exclusive/);
    assert.ok(!stdout.includes(key) && !stdout.includes(btoa(`any:${key}`)));
  }
  const refused = await node([cli, ...words], { TAXII_KEY: `${key}x` });
  assert.equal(refused.code, 2);
  assert.ok(!refused.stderr.includes(key));
});

test('what cannot be tried is exit code 2, with a line that says why', async () => {
  for (const [words, expected] of [
    [['--key', 'wrong'], /^the credential is not accepted: 401/],
    [[], /^the server asks for a credential: 401/],
    [['--key', 'x', '--token', 'y'], /^only one of --key, --token and --basic/],
    [['--limit', '0'], /^--limit: a whole number/],
    [['--header', 'x'], /^--header: 'NAME: VALUE' is wanted/],
    [['--waivers', PACKAGE], /^--waivers: /],
    [['--nonsense'], /^Unknown option '--nonsense'/],
  ] as const) {
    const { code, stderr } = await suite(...words);
    assert.match(stderr, expected);
    assert.equal(code, 2);
  }
  const gone = await node([join(installed, 'dist', 'cli.js'), '--url', 'http://127.0.0.1:9']);
  assert.deepEqual([gone.code, gone.stdout], [2, '']);
  assert.match(gone.stderr, /^GET \/taxii2\/: .*ECONNREFUSED/);
});
