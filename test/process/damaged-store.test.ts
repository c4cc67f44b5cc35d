// A store that is damaged while the service runs, or before it starts: the service notices, names the file, answers
// nothing from it, and acknowledges nothing that would be lost.

import assert from 'node:assert/strict';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { serve, type TisProcess, tis } from '../support/command-line.ts';
import { RestClient, send } from '../support/http-client.ts';
import { events } from '../support/sensor-events.ts';
import { until } from '../support/until.ts';
import type { RpcStatus } from '../support/wire.ts';

interface Ready {
  readonly status: string;
  readonly storeIntact: boolean;
  readonly damage?: readonly { readonly file: string; readonly problem: string }[];
}

let folder: string;
/** A store at rest, with indicators, a key and metered use. */
let sound: string;
let key: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tis-damaged-'));
  sound = join(folder, 'sound');
  const words = ['keys', 'create', '--name', 'k', '--scope', 'admin', '--json', '--data-dir', sound];
  key = JSON.parse((await tis(words)).stdout).key;
  const { served, client } = await start(sound);
  await client.ingest(events(200));
  await client.search();
  assert.equal((await served.kill('SIGTERM')).code, 0);
});
after(() => rmSync(folder, { recursive: true }));

async function start(dataDir: string) {
  const { process: served, url } = await serve(dataDir, { env: { TIS_LOG_LEVEL: 'error' } });
  return { served, url, client: new RestClient(url, key) };
}

function copyOf(name: string): string {
  const dataDir = join(folder, name);
  cpSync(sound, dataDir, { recursive: true });
  return dataDir;
}

/** Waits for the answer of a damaged store, and checks that it tells no client where the store is. */
async function refused(dataDir: string, client: RestClient, path: string, body: object): Promise<void> {
  const answer = await client.send(path, { method: 'POST', body });
  const status = answer.expect<RpcStatus>(503);
  assert.deepEqual([status.code, status.details[0]?.reason], [14, 'STORE_DAMAGED']);
  assert.equal(answer.headers.get('retry-after'), '60');
  assert.ok(!answer.text.includes(dataDir) && !answer.text.includes('.db'), answer.text);
}

async function unreadyFor(url: string, file: string, problem: string): Promise<void> {
  const answer = await send(`${url}/readyz`);
  const { status, storeIntact, damage } = answer.json<Ready>();
  assert.deepEqual([answer.status, status, storeIntact], [503, 'unready', false]);
  assert.deepEqual(damage, [{ file, problem }]);
}

/** A file that the process has open and its log, although they have lost their names (docs/operating.md). */
function openFilesOf(pid: number, file: string): { readonly name: string; readonly content: Buffer }[] {
  const names = [file, `${file}-wal`];
  return readdirSync(`/proc/${pid}/fd`).flatMap((descriptor) => {
    const link = `/proc/${pid}/fd/${descriptor}`;
    const name = names.find((one) => readlinkSync(link).endsWith(`/${one} (deleted)`));
    return name === undefined ? [] : [{ name, content: readFileSync(link) }];
  });
}

/** The lines of the log that tell of damage. */
async function told(served: TisProcess, diagnosis: string): Promise<void> {
  await until('a line in the log', () => served.stderr.includes('nothing is answered from it'));
  const lines = served.stderr.split('\n').filter((line) => line.includes('nothing is answered from it'));
  assert.equal(lines.length, 1);
  assert.ok(JSON.parse(lines[0] ?? '').diagnosis.startsWith(diagnosis), lines[0]);
}

const SEARCH = '/v1/indicators/search';
const INGEST = '/v1/sensorEvents:ingest';

describe('while the service runs', () => {
  test('usage.db is removed: no search is answered without being counted', async () => {
    const dataDir = copyOf('removed');
    const { served, url, client } = await start(dataDir);
    await client.search();
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataDir, `usage.db${suffix}`));
    await refused(dataDir, client, SEARCH, {});
    await unreadyFor(url, 'usage.db', 'MISSING');
    await told(served, `${join(dataDir, 'usage.db')} is missing`);
    // What needs no metering is not concerned.
    await client.ingest(events(1));
    assert.equal((await send(`${url}/livez`)).status, 200);
    const rescued = process.platform === 'linux' ? openFilesOf(served.pid, 'usage.db') : [];
    assert.equal((await served.kill('SIGTERM')).code, 0);
    const again = await tis(['serve', '--port', '0', '--data-dir', dataDir]);
    assert.equal(again.code, 1);
    assert.ok(again.stderr.startsWith(`tis: ${join(dataDir, 'usage.db')} is missing`), again.stderr);

    if (process.platform !== 'linux') return;
    for (const { name, content } of rescued) writeFileSync(join(dataDir, name), content);
    const usage = await tis(['usage', '--json', '--data-dir', dataDir]);
    // One before the start, one here, and one that was recorded but refused when the loss was noticed.
    assert.match(usage.stdout, /^ {2}"searchCount": 3,$/m);
  });

  test('tis.db is replaced: nothing is acknowledged and nothing is answered', async () => {
    const dataDir = copyOf('replaced');
    const { served, url, client } = await start(dataDir);
    cpSync(join(sound, 'tis.db'), join(folder, 'twin.db'));
    renameSync(join(folder, 'twin.db'), join(dataDir, 'tis.db'));
    await refused(dataDir, client, INGEST, { events: events(1) });
    await unreadyFor(url, 'tis.db', 'REPLACED');
    await refused(dataDir, client, SEARCH, {});
    await told(served, `${join(dataDir, 'tis.db')} was replaced`);
    assert.equal((await send(`${url}/livez`)).status, 200);
    await until('a pipeline that rests', () => served.stderr.includes('the pipeline has stopped'));
    assert.equal((await served.kill('SIGTERM')).code, 0);
  });

  test('tis.db is cut off: the first question to /readyz notices', async () => {
    const dataDir = copyOf('cut');
    const { served, url } = await start(dataDir);
    const path = join(dataDir, 'tis.db');
    writeFileSync(path, readFileSync(path).subarray(0, 16_384));
    await unreadyFor(url, 'tis.db', 'TRUNCATED');
    await served.kill('SIGTERM');
  });
});

test('junk in place of pages: the start is refused, and `tis check` names the file', async () => {
  const dataDir = copyOf('junk');
  const path = join(dataDir, 'tis.db');
  const bytes = readFileSync(path);
  const middle = Math.floor(bytes.length / 16_384) * 8_192;
  writeFileSync(path, bytes.fill(0xa5, middle, middle + 65_536));
  const { code, stdout, stderr } = await tis(['serve', '--port', '0', '--data-dir', dataDir]);
  assert.deepEqual([code, stdout], [1, '']);
  assert.ok(stderr.startsWith(`tis: ${path} is damaged (`), stderr);
  assert.match(stderr, /^[^\n]+ `tis restore`\n$/);
  const checked = await tis(['check', '--data-dir', dataDir]);
  assert.equal(checked.code, 1);
  assert.match(checked.stdout, /tis\.db/);
});

test('a large store is inspected after the start, and is unready once damage was found', async () => {
  const dataDir = copyOf('large');
  const path = join(dataDir, 'tis.db');
  const database = new DatabaseSync(path);
  // One long row is enough. Nothing reads it at the start.
  database.exec(
    `insert into audit (at, actor, action, target, detail) values (0, '', '', '', hex(zeroblob(20000000)));
     pragma wal_checkpoint(truncate)`,
  );
  database.close();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xa5, bytes.length - 16_384));
  const { served, url, client } = await start(dataDir);
  await until('unready', async () => (await send(`${url}/readyz`)).status === 503);
  await unreadyFor(url, 'tis.db', 'CORRUPT');
  await refused(dataDir, client, SEARCH, {});
  await told(served, `${path} is damaged (`);
  assert.equal((await served.kill('SIGTERM')).code, 0);
});
