// Reports of leaked keys over HTTP, on a real store, signed with a key of the test.

import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { createKeyCommands, issueKey, rotateKey } from '../../gateway/key-commands.ts';
import { createScannerKeys } from '../../gateway/scanner-keys.ts';
import { NOW } from '../../store/contract/fixtures.ts';
import {
  openTemporaryStore,
  type TemporaryStore,
} from '../../store/contract/temporary-store.test-support.ts';
import { testServer } from '../rest-server.test-support.ts';
import { leakReports } from './leak-reports.ts';

const PATH = '/v1/apiKeys:reportLeaked';
const URL = 'https://git.example.com/octo/plant/blob/1/config.yml';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const KEYS = JSON.stringify({
  public_keys: [
    { key_identifier: 'one', key: publicKey.export({ type: 'spki', format: 'pem' }), is_current: true },
  ],
});

let opened: TemporaryStore;
let app: FastifyInstance;

before(async () => {
  opened = await openTemporaryStore(() => NOW);
  const verifyReport = createScannerKeys({ load: async () => KEYS, clock: () => NOW });
  const commands = createKeyCommands(opened.stores, () => NOW);
  app = testServer({ plugins: [leakReports({ verifyReport, commands })] }).app;
});
after(() => opened.dispose());

function report(
  finds: unknown,
  changes: { key?: KeyObject; headers?: Record<string, string>; signed?: string } = {},
) {
  const payload = typeof finds === 'string' ? finds : JSON.stringify(finds);
  const signature = sign('sha256', Buffer.from(changes.signed ?? payload), changes.key ?? privateKey);
  return app.inject({
    method: 'POST',
    url: PATH,
    headers: {
      'content-type': 'application/json',
      'github-public-key-identifier': 'one',
      'github-public-key-signature': signature.toString('base64'),
      ...changes.headers,
    },
    payload,
  });
}

const newKey = (sensor = false) => issueKey(opened.stores, { name: 'siem', sensor }, 'cli', NOW - 1);

async function revokedAt(id: string): Promise<number | undefined> {
  return (await opened.stores.keys.list()).find((key) => key.id === id)?.revokedAt;
}

test('a key that was found is revoked and audited; what is no key of ours is told apart', async () => {
  const { key, plaintext } = await newKey();
  const sensor = await newKey(true);
  const bystander = await newKey();
  const tokens = [
    plaintext,
    'tis_nothing',
    sensor.plaintext,
    plaintext.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
  ];
  const response = await report(
    tokens.map((token) => ({ token, type: 'tis_api_key', url: `${URL}?was=${token}`, source: 'commit' })),
  );
  assert.equal(response.statusCode, 200);
  assert.deepEqual(
    response.json(),
    tokens.map((token, index) => ({
      token_hash: createHash('sha256').update(token).digest('hex'),
      token_type: 'tis_api_key',
      label: index % 2 === 0 ? 'true_positive' : 'false_positive',
    })),
  );
  assert.equal(await revokedAt(key.id), NOW);
  assert.equal(await revokedAt(sensor.key.id), NOW);
  assert.equal(await revokedAt(bystander.key.id), undefined);
  const [, entry] = await opened.stores.audit(2);
  assert.partialDeepStrictEqual(entry, {
    at: NOW,
    actor: 'secret-scanning',
    action: 'key.leaked',
    target: key.id,
    detail: { name: 'siem', account: 'default', url: `${URL}?was=…`, source: 'commit' },
  });
});

test('an expired key ends alone: whoever kept its text cannot end its successor with it', async () => {
  const old = await newKey();
  const { key: successor } = await rotateKey(opened.stores, old.key.id, 0, 'cli', NOW - 1);
  const [answer] = (await report([{ token: old.plaintext }])).json();
  assert.equal(answer.label, 'true_positive');
  assert.deepEqual([await revokedAt(old.key.id), await revokedAt(successor.id)], [NOW, undefined]);
});

test('a key that is revoked already is a true one, and stays as it is', async () => {
  const { plaintext } = await newKey();
  const find = { token: plaintext };
  await report([find]);
  const entries = await opened.stores.audit(1_000);
  const again = await report([find, find]);
  assert.deepEqual(
    again.json().map(({ label, token_type: type }: Record<string, string>) => [label, type]),
    [
      ['true_positive', ''],
      ['true_positive', ''],
    ],
  );
  assert.deepEqual(await opened.stores.audit(1_000), entries);
});

test('without the signature of the scanner nothing happens', async () => {
  const { key, plaintext } = await newKey();
  const finds = [{ token: plaintext, type: 't', url: URL, source: 'commit' }];
  for (const changes of [
    { key: stranger },
    { signed: '[]' },
    { headers: { 'github-public-key-signature': '' } },
    { headers: { 'github-public-key-signature': 'no base64 at all %%' } },
    { headers: { 'github-public-key-identifier': 'two' } },
    { headers: { 'github-public-key-identifier': '__proto__' } },
  ]) {
    const response = await report(finds, changes);
    assert.equal(response.statusCode, 403);
    assert.equal(response.json().details[0].reason, 'REPORT_NOT_SIGNED');
  }
  const bare = await app.inject({ method: 'POST', url: PATH, payload: JSON.stringify(finds) });
  assert.equal(bare.statusCode, 403);
  assert.equal(await revokedAt(key.id), undefined);
});

test('a signed report that is none is an invalid argument', async () => {
  for (const [finds, field] of [
    ['', 'body'],
    ['[{', 'body'],
    [{ token: 'x' }, 'body'],
    [null, 'body'],
    [[null], '[0].token'],
    [[{ token: 'x' }, { token: 7 }], '[1].token'],
  ] as const) {
    const response = await report(finds);
    assert.equal(response.statusCode, 400, JSON.stringify(finds));
    assert.equal(response.json().details[1].fieldViolations[0].field, field);
  }
  assert.deepEqual((await report([])).json(), []);
});

test('only POST, only where it is configured, and only up to a size', async () => {
  assert.equal((await app.inject({ method: 'GET', url: PATH })).statusCode, 405);
  assert.equal((await report(' '.repeat(1_048_577))).statusCode, 413);
  const without = testServer().app;
  assert.equal((await without.inject({ method: 'POST', url: PATH, payload: '[]' })).statusCode, 404);
});
