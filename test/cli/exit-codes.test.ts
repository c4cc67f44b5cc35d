// The exit codes of docs/commands.md, and that a wrong data folder never becomes a store.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { serve, tis, tisProcess } from '../support/command-line.ts';
import { anEvent } from '../support/sensor-events.ts';

const AN_ID = '6a1f5b1e-2f4c-4f0e-9d59-0d8a35d1a001';

let folder: string;
let store: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tis-codes-'));
  store = join(folder, 'store');
  const { code, stderr } = await tis(['migrate', '--data-dir', store]);
  assert.deepEqual([code, stderr], [0, '']);
});
after(() => rm(folder, { recursive: true }));

describe('without a store', () => {
  const commands = [
    ...['keys list', `keys rotate ${AN_ID}`, `keys revoke ${AN_ID}`, 'usage', 'audit', 'explain 192.0.2.1'],
    ...['jobs list', 'jobs retry', `indicators revoke ${AN_ID}`, 'compact --keep-days 1', 'work --once'],
    ...['check', 'backup'],
  ];
  for (const command of commands) {
    test(`${command} says so with code 1, and creates nothing`, async () => {
      const empty = await mkdtemp(join(folder, 'empty-'));
      const missing = join(empty, 'missing');
      for (const dataDir of [missing, empty]) {
        const words = command === 'backup' ? [command, join(empty, 'copy')] : command.split(' ');
        const { code, stdout, stderr } = await tis([...words, '--data-dir', dataDir]);
        assert.equal(code, 1);
        assert.equal(stdout, '');
        assert.ok(stderr.startsWith(`tis: there is no store in ${dataDir}`), stderr);
        assert.match(stderr, /^[^\n]+\n$/);
        assert.deepEqual(await readdir(empty), []);
      }
    });
  }

  test('keys create, ingest and migrate create one', async () => {
    const log = join(folder, 'one.jsonl');
    await writeFile(log, `${JSON.stringify(anEvent())}\n`);
    for (const [index, words] of [
      ['keys', 'create', '--name', 'first'],
      ['ingest', log],
      ['migrate'],
    ].entries()) {
      const dataDir = join(folder, `new-${index}`);
      const { code, stderr } = await tis([...words, '--data-dir', dataDir]);
      assert.equal(code, 0, stderr);
      assert.ok(existsSync(dataDir));
      assert.equal((await tis(['jobs', 'list', '--data-dir', dataDir])).code, 0);
    }
  });

  test('a folder that is no folder is not taken for an empty one', async () => {
    const { code, stderr } = await tis(['jobs', 'list', '--data-dir', '/dev/null/store']);
    assert.equal(code, 1);
    assert.match(stderr, /^tis: [^\n]+\n$/);
  });
});

describe('the exit code', () => {
  const calls: readonly (readonly [code: number, words: readonly string[]])[] = [
    [0, ['jobs', 'list']],
    [0, ['check']],
    [1, ['explain', '192.0.2.1']],
    [1, ['explain', AN_ID]],
    [1, ['keys', 'revoke', AN_ID]],
    [1, ['keys', 'rotate', AN_ID]],
    [1, ['indicators', 'revoke', AN_ID]],
    [1, ['jobs', 'retry', AN_ID]],
    [1, ['serve', '--host', '192.0.2.1', '--port', '0']],
    [2, ['jobs', 'lst']],
    [2, ['jobs', 'list', '--unknown']],
    [2, ['jobs', 'list', '--log-level', 'loud']],
    [2, ['explain']],
    [2, ['compact']],
    [2, ['audit', '--limit', '0']],
    [2, ['usage', '--from', 'yesterday']],
    [2, ['keys', 'create', '--name', '']],
    [2, ['keys', 'create', '--name', 'x', '--tlp-ceiling', 'PINK']],
    [2, ['ingest', 'no-such-file.log']],
    [2, ['ingest', '/dev/null', '--format', 'syslog']],
  ];
  for (const [expected, words] of calls) {
    test(`is ${expected} for ${words.join(' ')}`, async () => {
      const { code, stdout, stderr } = await tis([...words, '--data-dir', store]);
      assert.equal(code, expected, stderr);
      if (expected !== 0) assert.equal(stdout, '');
      // A message, and no stack of a program that failed.
      assert.doesNotMatch(stderr, /\n {4}at /);
    });
  }

  test('is the one of the process, which ends by itself', async () => {
    const ended = [
      ['jobs', 'list'],
      ['explain', AN_ID],
      ['jobs', 'lst'],
    ].map((words) => tisProcess([...words, '--data-dir', store]));
    const codes = (await Promise.all(ended)).map(({ code }) => code);
    assert.deepEqual(codes, [0, 1, 2]);
  });

  test('is 1 for a store without its usage file, until the operator starts use anew', async () => {
    const dataDir = join(folder, 'lost');
    await cp(store, dataDir, { recursive: true });
    await rm(join(dataDir, 'usage.db'));
    const served = await tis(['serve', '--port', '0', '--data-dir', dataDir]);
    const missing = `${join(dataDir, 'usage.db')} is missing`;
    assert.deepEqual([served.code, served.stdout], [1, '']);
    assert.ok(served.stderr.startsWith(`tis: ${missing}`), served.stderr);
    assert.match(served.stderr, /^[^\n]+ `tis check --new-usage`\n$/);
    const checked = await tis(['check', '--data-dir', dataDir]);
    assert.equal(checked.code, 1);
    assert.ok(checked.stdout.includes(missing), checked.stdout);
    const renewed = await tis(['check', '--new-usage', '--data-dir', dataDir]);
    assert.deepEqual([renewed.code, renewed.stderr], [0, 'made a new usage.db\n']);
  });

  test('is 1 for a folder in which no folder can be made', {
    skip: process.platform !== 'linux',
  }, async () => {
    const { code, stderr } = await tis(['migrate', '--data-dir', '/proc/tis']);
    assert.equal(code, 1);
    assert.match(stderr, /^tis: \/proc\/tis\/tis\.db: it does not exist and cannot be created; [^\n]+\n$/);
  });

  test('is 0 for a log that is cut off: the damage is a refused record of the report', async () => {
    const packed = gzipSync(`${JSON.stringify(anEvent())}\n`.repeat(1_000));
    const log = join(folder, 'cut.jsonl.gz');
    await writeFile(log, packed.subarray(0, packed.length - 20));
    const { code, stdout } = await tis(['ingest', log, '--no-process', '--data-dir', store]);
    assert.equal(code, 0);
    assert.match(stdout, /DAMAGED_GZIP: 1 /);
  });

  test('is 1 for a port in use, and 0 for a service that was asked to stop', async () => {
    const { process: served, url } = await serve(store, { env: { TIS_LOG_LEVEL: 'silent' } });
    const taken = await tis(['serve', '--port', new URL(url).port, '--data-dir', store], {
      env: { TIS_ADMIN_PORT: 'off', TIS_LOG_LEVEL: 'silent' },
    });
    assert.equal(taken.code, 1);
    assert.match(taken.stderr, /^tis: port \d+ is in use/);
    assert.equal((await served.kill('SIGTERM')).code, 0);
  });

  test('is 1 for a backup that finds its folder in use', async () => {
    await mkdir(join(folder, 'used', 'by-others'), { recursive: true });
    const { code } = await tis(['backup', join(folder, 'used'), '--data-dir', store]);
    assert.equal(code, 1);
  });
});
