// The command line as a whole, and the commands without a test file of their own.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { type Finished, ROOT, serve, TisProcess, tis } from '../support/command-line.ts';
import { RestClient } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent, events } from '../support/sensor-events.ts';
import { until } from '../support/until.ts';

let service: RunningService;
/** An indicator with a score to explain. */
const value = '198.51.100.7';
let id: string;

before(async () => {
  service = await RunningService.start();
  const sensor = service.as(await service.key({ name: 'north', sensor: true }));
  id = (await sensor.ingest([anEvent({ value })])).results[0]!.indicatorId;
  await service.settled();
});
after(() => service.dispose());

function onStore(command: string, ...words: readonly string[]): Promise<Finished> {
  return tis([...command.split(' '), '--data-dir', service.dataDir, ...words]);
}

function assertOneLine({ stderr }: Finished, says: RegExp): void {
  assert.match(stderr, says);
  assert.match(stderr, /^[^\n]+\n$/);
}

describe('help', () => {
  /** Prints the help of these commands as one JSON object, in one process. */
  const PRINT_HELP = `
    import { main } from './src/main.ts';
    const write = process.stdout.write.bind(process.stdout);
    const pages = {};
    for (const command of JSON.parse(process.argv[1])) {
      pages[command] = '';
      process.stdout.write = (text) => (pages[command] += text, true);
      if ((await main([...command.split(' '), '--help'])) !== 0) throw new Error(command);
    }
    write(JSON.stringify(pages));`;

  async function helpOf(commands: readonly string[]): Promise<Readonly<Record<string, string>>> {
    const words = ['--input-type=module', '--eval', PRINT_HELP, JSON.stringify(commands)];
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: ROOT });
    return JSON.parse(stdout) as Record<string, string>;
  }

  /** The names under `Commands:` in a help page. */
  function listedIn(page: string): readonly string[] {
    const [, list = ''] = page.split('\nCommands:\n');
    const names = [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name = '']) => name);
    return names.filter((name) => name !== 'help');
  }

  test('every command and every command of a command explains itself', async () => {
    const { code, stdout, stderr } = await tis(['--help']);
    assert.deepEqual([code, stderr], [0, '']);
    const commands = listedIn(stdout);
    for (const name of ['serve', 'work', 'ingest', 'keys', 'explain', 'jobs', 'migrate', 'demo']) {
      assert.ok(commands.includes(name), name);
    }
    const pages = await helpOf(commands);
    const nested = commands.flatMap((name) => listedIn(pages[name] ?? '').map((word) => `${name} ${word}`));
    for (const name of [
      'keys create',
      'keys list',
      'keys rotate',
      'keys revoke',
      'jobs list',
      'jobs retry',
    ]) {
      assert.ok(nested.includes(name), name);
    }
    for (const [command, page] of Object.entries({ ...pages, ...(await helpOf(nested)) })) {
      assert.match(page, new RegExp(`^Usage: tis ${command} `));
      assert.match(page, /^ {2}-h, --help/m);
      assert.ok((page.split('\n')[2] ?? '').length > 10, `${command} does not say what it does`);
    }
  });

  test('is printed by the command help as by --help, and the version by --version', async () => {
    const answers = await Promise.all(
      [['--help'], ['help'], ['help', 'jobs'], ['jobs', 'help'], ['--version'], ['help', 'frobnicate']].map(
        (words) => tis(words),
      ),
    );
    assert.deepEqual(
      answers.map(({ code, stdout, stderr }) => [code, stdout.slice(0, 15), stderr.slice(0, 9)]),
      [
        [0, 'Usage: tis [opt', ''],
        [0, 'Usage: tis [opt', ''],
        [0, 'Usage: tis jobs', ''],
        [0, 'Usage: tis jobs', ''],
        [0, '0.1.0\n', ''],
        [2, '', 'Usage: ti'],
      ],
    );
  });

  test('is shown to whoever names no command or a wrong one; a call that can not be followed is code 2', async () => {
    const [none, wrong, lacking] = await Promise.all([tis([]), tis(['frobnicate']), tis(['keys', 'revoke'])]);
    assert.equal(none.code, 2);
    assert.match(none.stderr, /^Usage: tis/);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /^error: unknown command 'frobnicate'\n/);
    assert.deepEqual([lacking.code, lacking.stderr], [2, "error: missing required argument 'id'\n"]);
  });
});

describe('a Node that is too old', () => {
  for (const version of ['20.20.2', '24.14.1']) {
    test(`${version} is refused in one line, before any TypeScript is read`, async () => {
      const pretend = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;
      const finished = await tis(['keys', 'list', '--data-dir', service.dataDir], {
        nodeArguments: [
          '--no-strip-types',
          '--import',
          `data:text/javascript,${encodeURIComponent(pretend)}`,
        ],
      });
      assert.equal(finished.code, 1);
      assert.equal(finished.stdout, '');
      assertOneLine(finished, new RegExp(`^tis needs Node 24\\.15 or newer; this is ${version}\\.`));
    });
  }
});

describe('a pipe that nobody reads any more', () => {
  /** The reader closes its end before the command starts. A second pipe signals that. */
  function afterReader(command: string): string {
    return `exec 4>&1
      mkfifo "$0"
      { read -r _ <"$0"; ${command}; echo "code $?" >&4; } | { exec <&-; echo gone >"$0"; }`;
  }

  const cases: readonly (readonly [what: string, command: string, ...words: string[]])[] = [
    ['what it prints', '"$@"', 'keys', 'list', '--json'],
    ['both outputs', '"$@" 2>&1', 'keys', 'list'],
    ['its complaints', '"$@" 2>&1 >/dev/null', 'keys', 'list', '--log-level', 'loud'],
  ];
  for (const [what, command, ...words] of cases) {
    test(`${what}: the command ends without a word, with the code of SIGPIPE`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'tis-pipe-'));
      try {
        const tisCommand = [process.execPath, join(ROOT, 'bin', 'tis.js'), ...words];
        const { stdout, stderr } = await promisify(execFile)('sh', [
          ...['-c', afterReader(command), join(folder, 'reader-gone')],
          ...[...tisCommand, '--data-dir', service.dataDir],
        ]);
        assert.deepEqual([stdout, stderr], ['code 141\n', '']);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  }
});

describe('lookup', () => {
  test('values of the command line and of standard input, for people and for programs', async () => {
    const stdin = `\nhxxp://${value}:8080/x\n127.0.0.1\n`;
    const words = ['lookup', '--data-dir', service.dataDir, '192[.]0.2.99', '-'];
    const [table, json] = await Promise.all([tis(words, { stdin }), tis([...words, '--json'], { stdin })]);
    assert.deepEqual([table.code, table.stderr], [0, '']);
    assert.match(table.stdout, /^192\[\.\]0\.2\.99 +nothing known$/m);
    assert.match(table.stdout, /^hxxp:\S+ +HOST +198\.51\.100\.7 +ENRICHED /m);
    assert.match(table.stdout, /^127\.0\.0\.1 +loopback addresses are not indicators$/m);
    assert.match(table.stdout, /^1 of 3 values known, 1 not readable$/m);
    const { results, indicators } = JSON.parse(json.stdout);
    const match = { kind: 'HOST', indicatorId: id, type: 'IPV4', value, standing: 'IN_FORCE' };
    assert.deepEqual(results[1].matches, [match]);
    assert.deepEqual(indicators, [await service.as(await service.key()).get(id)]);
    const hidden = await onStore('lookup', value, '--ceiling', 'CLEAR');
    assert.match(hidden.stdout, /^0 of 1 values known/m);
  });
});

describe('explain', () => {
  test('prints the receipt for an id and for a value, defanged or not', async () => {
    const pages = await Promise.all([id, '198[.]51[.]100[.]7'].map((word) => onStore('explain', word)));
    const { confidenceScore } = await service.as(await service.key()).get(id);
    for (const { code, stdout, stderr } of pages) {
      assert.deepEqual([code, stderr], [0, '']);
      assert.equal(stdout, pages[0]?.stdout);
    }
    const text = pages[0]?.stdout ?? '';
    assert.match(text, new RegExp(`^IPV4 ${value} +ENRICHED +confidence ${confidenceScore}$`, 'm'));
    assert.match(text, /^ +ENRICHED at \S+ by pipeline$/m);
    assert.match(text, /^at most 89: single-source /m);
    assert.match(text, /^technique T/m);
  });

  test('as JSON it has the receipt that the service gives', async () => {
    const { code, stdout } = await onStore('explain', value, '--json');
    assert.equal(code, 0);
    const shown = JSON.parse(stdout) as { id: string; receipt: { score: number; combined: number } };
    const receipt = await service.as(await service.key()).explain(id);
    assert.equal(shown.id, id);
    assert.deepEqual([shown.receipt.score, shown.receipt.combined], [receipt.score, receipt.combined]);
  });

  test('says what it does not know', async () => {
    const finished = await Promise.all(['192.0.2.99', 'nonsense'].map((word) => onStore('explain', word)));
    for (const one of finished) {
      assert.ok(one.code !== null && one.code > 0);
      assertOneLine(one, /^tis: no such indicator: /);
    }
  });
});

test('jobs: an empty queue, and nothing to retry', async () => {
  const [json, retried] = await Promise.all([
    onStore('jobs list', '--json'),
    onStore('jobs retry', '--json'),
  ]);
  assert.deepEqual(JSON.parse(json.stdout), { pending: 0, dead: 0, deadJobs: [] });
  assert.deepEqual(JSON.parse(retried.stdout), { revived: 0 });
});

test('migrate: a store that is up to date stays as it is', async () => {
  const { code, stderr } = await onStore('migrate');
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal((await service.as(await service.key()).get(id)).value, value);
});

describe('verify, dispute, note', () => {
  const judged = '198.51.100.77';
  const run = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await tis([...words, '--data-dir', service.dataDir, '--json']);
    assert.deepEqual([code, stderr], [0, ''], words.join(' '));
    return JSON.parse(stdout);
  };

  test('a value is disputed by name, undone, confirmed and noted', async () => {
    const sensor = service.as(await service.key({ sensor: true }));
    await sensor.ingest([anEvent({ value: judged })]);
    await service.settled();
    const disputed = await run('dispute', '198[.]51.100.77', '--reason', 'our own scanner', '--as', 'ann');
    assert.deepEqual(
      [disputed.standing, disputed.confidenceScore, disputed.actor],
      ['DISPUTED', 0, 'cli:ann'],
    );
    const table = await onStore('lookup', judged);
    assert.match(table.stdout, /^198\.51\.100\.77 +EXACT +198\.51\.100\.77 +DISPUTED /m);
    const undone = await run('dispute', disputed.id, '--undo');
    assert.deepEqual([undone.standing, undone.confidenceScore > 0], ['IN_FORCE', true]);
    await service.settled();
    assert.equal((await run('verify', judged, '--reason', 'seen in the plant')).state, 'VERIFIED');
    await run('note', judged, 'ask the plant', '--tlp', 'RED');
    const { stdout } = await onStore('explain', judged);
    assert.match(
      stdout,
      /DISPUTE at \S+ by cli:ann: our own scanner\n +UNDO_DISPUTE .*\n +CONFIRM .*seen in the plant\n/,
    );
    assert.match(stdout, /NOTE at \S+ by cli: ask the plant/);
    const below = await onStore('explain', judged, '--ceiling', 'AMBER');
    assert.doesNotMatch(below.stdout, /ask the plant/);
  });

  test('what is missing or unknown is said on one line', async () => {
    const untold = await onStore('dispute', judged);
    assert.equal(untold.code, 2);
    assertOneLine(untold, /^tis: --reason: /);
    const unknown = await onStore('verify', '198.51.100.78');
    assert.deepEqual([unknown.code, unknown.stderr], [1, 'tis: no such indicator\n']);
    assert.equal((await onStore('note', judged, '')).code, 2);
  });
});

describe('serve', () => {
  test('answers at the address it prints, writes no secret to its log, and stops when asked', async () => {
    const { provider, dataDir } = service;
    const { process: served, url } = await serve(dataDir, {
      env: {
        TIS_LOG_LEVEL: 'trace',
        TIS_JWT_ISSUER: provider.issuer,
        TIS_JWT_AUDIENCE: provider.audience,
        TIS_JWT_JWKS_URL: provider.jwksUrl,
      },
    });
    const secrets = [
      await service.key({ scopes: ['admin'] }),
      service.token('indicators:read indicators:verify'),
      provider.forgedToken(),
      `tis_${'0'.repeat(49)}`,
    ];
    for (const secret of secrets) {
      const client = new RestClient(url, secret);
      await client.send('/v1/indicators/search', { method: 'POST', body: { query: 'what I look for' } });
      await client.send(`/v1/indicators/${id}?key=${secret}`);
      await client.send('/v1/sensorEvents:ingest', {
        method: 'POST',
        body: `{"events":[{"value":"${secret}`,
      });
      await client.send(`/taxii2/collections/?token=${secret}`);
    }
    assert.equal((await new RestClient(url, secrets[0]).get(id)).id, id);
    const { code, stdout, stderr } = await served.kill('SIGTERM');
    assert.equal(code, 0, stderr);
    for (const secret of [...secrets, 'what I look for']) {
      assert.equal(stdout.includes(secret) || stderr.includes(secret), false);
    }
  });

  test('a port in use, and a configuration with faults: a line each', async () => {
    const [taken, faulty] = await Promise.all([
      tis(['serve', '--data-dir', service.dataDir, '--port', String(service.port)], {
        env: { TIS_ADMIN_PORT: '0', TIS_LOG_LEVEL: 'error' },
      }),
      tis(['serve', '--data-dir', service.dataDir, '--port', 'http', '--workers', '-1'], {
        env: { TIS_JWT_ISSUER: 'https://login.example' },
      }),
    ]);
    assert.ok(taken.code !== null && taken.code > 0);
    assertOneLine(taken, new RegExp(`^tis: port ${service.port} is in use`));
    assert.ok(faulty.code !== null && faulty.code > 0);
    assert.deepEqual(
      faulty.stderr.split('\n').map((line) => /^tis: ([\w-]+)/.exec(line)?.[1]),
      ['--port', 'TIS_JWT_ISSUER', '--workers', undefined],
      'each by the name that it was given under',
    );
  });

  test('a store that can not be opened is one line', async () => {
    const finished = await tis(['serve', '--port', '0', '--data-dir', '/dev/null/store']);
    assert.ok(finished.code !== null && finished.code > 0);
    assertOneLine(finished, /^tis: /);
  });
});

test('work: a process of its own does what a service without workers leaves to it, until it is stopped', async () => {
  const waiting = await RunningService.start({ TIS_WORKERS: '0' });
  try {
    const client = waiting.as(await waiting.key({ scopes: ['admin'] }));
    const worker = new TisProcess(['work', '--data-dir', waiting.dataDir]);
    for (const event of events(2)) {
      const { results } = await client.ingest([event]);
      await until(
        'it enriched',
        async () => (await client.get(results[0]!.indicatorId)).state === 'INDICATOR_STATE_ENRICHED',
      );
    }
    const { code, stderr } = await worker.kill('SIGTERM');
    assert.deepEqual([code, stderr], [0, '']);
  } finally {
    await waiting.dispose();
  }
});
