// `tis users` as a process beside a running service, and the link that the first start prints.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { serve, tis } from '../support/command-line.ts';
import { PageClient } from '../support/page-client.ts';
import { until } from '../support/until.ts';

const PASSWORD = 'seven quiet turbines';

interface Shown {
  readonly id: string;
  readonly login: string;
  readonly roles: readonly string[];
  readonly tlpCeiling: string;
  readonly account: string;
  readonly link: string;
  readonly disabledAt?: string;
}

let folder: string;
let dataDir: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tis-users-'));
  dataDir = join(folder, 'data');
});
after(() => rm(folder, { recursive: true }));

const users = (...words: string[]) => tis(['users', ...words, '--data-dir', dataDir]);

async function shown<Value = Shown>(...words: string[]): Promise<Value> {
  const { code, stdout, stderr } = await users(...words, '--json');
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout) as Value;
}

const tokenOf = (link: string) => link.split('#')[1] ?? '';
const welcome = (text: string) => /^ {2}(http\S+\/app\/welcome#[\w-]{43})$/m.exec(text)?.[1];

test('the first start prints one link, and people are managed beside the service', async () => {
  const first = await serve(dataDir);
  const link = await until('a link', () => welcome(first.process.stdout));
  assert.ok(link.startsWith(`${first.url}/app/welcome#`));
  const admin = new PageClient(first.url);
  assert.equal((await admin.post('/auth/link', { token: tokenOf(link) })).status, 200);

  const ann = await shown('create', 'Ann@plant.example', '--role', 'reader', '--tlp-ceiling', 'green');
  assert.deepEqual(
    [ann.login, ann.roles, ann.tlpCeiling, ann.account],
    ['ann@plant.example', ['reader'], 'GREEN', 'default'],
  );
  const page = new PageClient(first.url);
  (await page.post('/auth/link', { token: tokenOf(ann.link), password: PASSWORD })).expect(200);
  assert.equal((await page.send('/v1/usage')).status, 200);

  await users('disable', 'ann@plant.example');
  await until('the end of the session', async () => (await page.send('/v1/usage')).status === 401);
  const { code, stderr } = await users('reset', ann.id);
  assert.deepEqual([code, stderr], [1, 'tis: the person is disabled; enable the person first\n']);
  await users('disable', ann.id, '--undo');
  const reset = await shown('reset', ann.id);
  const again = { token: tokenOf(reset.link), password: 'eight quiet turbines' };
  assert.equal((await page.post('/auth/link', again)).status, 200);

  const last = await users('disable', 'admin');
  assert.match(last.stderr, /admin is the last administrator/);
  const logins = (await shown<Shown[]>('list')).map(({ login }) => login);
  assert.deepEqual(logins, ['admin', 'ann@plant.example']);
  assert.equal((await first.process.kill('SIGTERM')).code, 0);
});

test('wrong calls are named and change nothing', async () => {
  for (const [words, message] of [
    [['create', 'eve', '--role', 'owner'], /^tis: --role: must be one of reader, analyst/],
    [['create', 'eve', '--tlp-ceiling', 'PINK'], /--tlp-ceiling: "PINK" is not a TLP 2.0 marking/],
    [['create', 'cli'], /^tis: login: must be/],
  ] as const) {
    const { code, stderr } = await users(...words);
    assert.equal(code, 2);
    assert.match(stderr, message);
  }
  assert.match((await users('reset', 'eve')).stderr, /no such person/);
});
