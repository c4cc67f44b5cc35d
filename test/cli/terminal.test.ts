// What commands print about events, names, notes and files that hold orders for a terminal.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { issueKey } from '../../src/gateway/key-commands.ts';
import { openStores } from '../../src/service/stores.ts';
import { type Finished, type ProcessOptions, tis } from '../support/command-line.ts';
import { anEvent } from '../support/sensor-events.ts';

/** A line break, ESC, BEL, a carriage return, DEL, CSI of C1, separators and bidi controls. */
const HOSTILE =
  'a\ntis: forged\u001b[2J\u001b]0;t\u0007\r\u007f\u009b31m\u0085\u2028\u2029\u061c\u200f\u202e\u2066z';
const SHOWN = String.raw`a\ntis: forged\u001b[2J\u001b]0;t\u0007\r\u007f\u009b31m\u0085\u2028\u2029\u061c\u200f\u202e\u2066z`;
/** A tag must not contain control characters. The others may come. */
const HOSTILE_TAG = 'tag\u2028\u061c\u200f\u202e\u2066z';
const VALUE = '198.51.100.77';

let folder: string;
let store: string;
let log: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tis-terminal-'));
  store = join(folder, 'store');
  log = join(folder, `${HOSTILE}.jsonl`);
  const lines = [
    anEvent({ value: VALUE, tags: [HOSTILE_TAG], evidence: { 'login.user': HOSTILE } }),
    anEvent({ value: '198.51.100.78' }),
    anEvent({ tags: [HOSTILE] }),
  ];
  await writeFile(log, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { code, stderr } = await onStore('ingest', log, '--source', HOSTILE, '--sensor', HOSTILE);
  assert.deepEqual([code, stderr], [0, '']);
  // Names and errors that a release without today's checks has stored.
  const stores = await openStores(readConfig({ TIS_DATA_DIR: store }));
  const { key } = await issueKey(stores, { name: 'north' }, 'cli', Date.now());
  await stores.write(async (tx) => {
    await tx.keys.add({ ...key, id: randomUUID(), name: HOSTILE, account: HOSTILE }, 'ab'.repeat(32));
    await tx.enqueue([{ indicatorId: randomUUID(), marking: 'GREEN' }], Date.now());
    for (const job of await tx.claim(1, 1_000, Date.now())) await tx.fail(job, HOSTILE, undefined);
  });
  await stores.close();
});
after(() => rm(folder, { recursive: true }));

function onStore(command: string, ...words: readonly string[]): Promise<Finished> {
  return tis([...command.split(' '), '--data-dir', store, ...words]);
}

/** @returns what was printed, with the escapes. */
function assertHarmless({ stdout, stderr }: Finished): string {
  for (const text of [stdout, stderr]) {
    assert.doesNotMatch(text, /(?!\n)[\p{C}\p{Zl}\p{Zp}]/u, JSON.stringify(text));
    assert.doesNotMatch(text, /^tis: forged/m);
  }
  return stdout + stderr;
}

describe('no control character reaches the terminal', () => {
  const commands: readonly (readonly [command: string, ...words: string[]])[] = [
    ['explain', VALUE],
    ['audit'],
    ['keys list'],
    ['jobs list'],
  ];

  test('when an event, its source and its file are reported', async () => {
    assert.ok(assertHarmless(await onStore('ingest', log, '--no-process')).includes(SHOWN));
    const json = await onStore('ingest', log, '--json', '--no-process');
    assertHarmless(json);
    assert.equal(JSON.parse(json.stdout).files[0].file, log);
  });

  test('when an indicator is withdrawn with a note', async () => {
    const { id } = JSON.parse((await onStore('explain', '198.51.100.78', '--json')).stdout) as { id: string };
    const { code } = await onStore('indicators revoke', id, '--note', HOSTILE);
    assert.equal(code, 0);
    assert.ok(assertHarmless(await onStore('audit')).includes(SHOWN));
    assertHarmless(await onStore('indicators revoke', HOSTILE, '--note', HOSTILE));
  });

  for (const [command, ...words] of commands) {
    test(`by ${command}, as text and as JSON`, async () => {
      const text = await onStore(command, ...words);
      assert.equal(text.code, 0);
      assert.ok(assertHarmless(text).includes(command === 'audit' ? 'key.create' : SHOWN), text.stdout);
      const json = await onStore(command, ...words, '--json');
      assertHarmless(json);
      const strings: string[] = [];
      JSON.parse(json.stdout, (_name, value: unknown) => {
        if (typeof value === 'string') strings.push(value);
        return value;
      });
      if (command !== 'audit')
        assert.ok(
          strings.some((text) => text.includes(HOSTILE)),
          'the value is kept',
        );
    });
  }

  const calls: readonly (readonly [what: string, words: readonly string[], options?: ProcessOptions])[] = [
    ['an unknown indicator', ['explain', HOSTILE]],
    ['a file that does not exist', ['ingest', HOSTILE]],
    ['a wrong format', ['ingest', 'x', '--format', HOSTILE]],
    ['a time', ['usage', '--from', HOSTILE]],
    ['an overlap', ['keys', 'rotate', 'id', '--overlap', HOSTILE]],
    ['a variable', ['jobs', 'list'], { env: { TIS_LOG_LEVEL: HOSTILE } }],
    ['a data folder', ['check', '--data-dir', `/nowhere/${HOSTILE}`]],
  ];
  for (const [what, words, options] of calls) {
    test(`by the message about ${what}`, async () => {
      const finished = await tis(
        [...words, ...(words.includes('--data-dir') ? [] : ['--data-dir', store])],
        options,
      );
      assert.ok(finished.code !== null && finished.code > 0);
      assert.ok(assertHarmless(finished).includes('\\u202e'), finished.stderr);
    });
  }

  test('by the message about a word that no command takes', async () => {
    for (const words of [[HOSTILE], ['keys', HOSTILE], ['keys', 'list', `--${HOSTILE}`]]) {
      const finished = await tis(words);
      assert.equal(finished.code, 2);
      assert.ok(assertHarmless(finished).includes('\\u009b31m'), finished.stderr);
    }
  });
});
