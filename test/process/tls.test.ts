// TLS by the service itself: its files, and what a client sees. unread-answers.test.ts holds the bounds of connections.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, get as httpsGet, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Server, TLSSocket } from 'node:tls';
import type { TlsIdentity } from '../../src/api/http/transport.ts';
import { followTlsFiles, readTlsFiles } from '../../src/service/tls-files.ts';
import { createJsonLog } from '../../src/telemetry/log.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';
import { ConfigError } from '../../src/variables.ts';
import { makeCertificate } from '../support/certificate.ts';
import { tis } from '../support/command-line.ts';
import { RunningService } from '../support/running-service.ts';
import { until } from '../support/until.ts';

const FIRST = makeCertificate();
const SECOND = makeCertificate();

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tis-tls-'));
});
after(() => rm(folder, { recursive: true }));

async function write({ cert, key }: TlsIdentity) {
  const files = { certificate: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  await Promise.all([writeFile(files.certificate, cert), writeFile(files.key, key)]);
  return files;
}

const weak = generateKeyPairSync('ec', { namedCurve: 'secp112r1' }).privateKey;
const locked = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'secret',
});

const faults: readonly (readonly [what: string, pair: TlsIdentity, message: RegExp])[] = [
  ['no certificate', { ...FIRST, cert: 'none' }, /^TIS_TLS_CERT: \S+cert\.pem holds no certificate/],
  ['the key in place of the certificate', { ...FIRST, cert: FIRST.key }, /^TIS_TLS_CERT: .* no certificate/],
  ['no key', { ...FIRST, key: '' }, /^TIS_TLS_KEY: \S+key\.pem holds no private key/],
  ['a key with a passphrase', { ...FIRST, key: locked.toString() }, /^TIS_TLS_KEY: .*passphrase/],
  ['another key', { ...FIRST, key: SECOND.key }, /^TIS_TLS_KEY: .* is not the key of the first certificate/],
  ['a weak key', makeCertificate({ privateKey: weak }), /^TIS_TLS_CERT: \S+ cannot be used \(.+\)$/],
];
for (const [what, pair, message] of faults) {
  test(`${what} is named, and the message holds no secret`, async () => {
    const files = await write(pair);
    await assert.rejects(readTlsFiles(files), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /BEGIN|\n/);
      return true;
    });
  });
}

test('a file that cannot be read is named with the reason', async () => {
  const files = await write(FIRST);
  const missing = join(folder, 'missing.pem');
  await assert.rejects(readTlsFiles({ ...files, key: missing }), {
    message: `TIS_TLS_KEY: ${missing} cannot be read (ENOENT)`,
  });
});

test('changed files are taken; faulty ones are not, and are told of once', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const files = await write(FIRST);
  const given: TlsIdentity[] = [];
  const server = Object.assign(new EventEmitter(), {
    setSecureContext: ({ cert, key }: TlsIdentity) => given.push({ cert, key }),
  });
  const lines: string[] = [];
  const log = createJsonLog({
    level: 'info',
    clock: Date.now,
    bindings: {},
    write: (line) => lines.push(line),
  });
  const metrics = new Metrics();
  followTlsFiles(files, await readTlsFiles(files), server as unknown as Server, { log, metrics });

  const looked = async (what: string, enough: () => boolean) =>
    until(what, () => {
      t.mock.timers.tick(1_000);
      return enough();
    });
  await write({ ...FIRST, key: SECOND.key });
  await looked('a line about the fault', () => lines.length > 0);
  assert.match(lines.join(), /is not the key of the first certificate/);
  await write(SECOND);
  await looked('the new certificate', () => given.length > 0);
  assert.deepEqual(given, [SECOND]);
  await write(makeCertificate({ expiresAt: new Date(Date.now() - 1_000) }));
  await looked('an expired certificate', () => given.length > 1);
  assert.match(await metrics.text(), /^tls_certificate_expiry_timestamp \d+/m);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    [
      'the changed TLS files are not taken; those before stay in use',
      'the files of TIS_TLS_CERT and TIS_TLS_KEY are in use',
      'the files of TIS_TLS_CERT and TIS_TLS_KEY are in use',
      'the certificate in TIS_TLS_CERT has expired',
    ],
  );
  server.emit('close');
});

test('a running service answers over TLS 1.2 and newer, and a new certificate interrupts nobody', async () => {
  const files = await write(FIRST);
  const service = await RunningService.start({
    TIS_TLS_CERT: files.certificate,
    TIS_TLS_KEY: files.key,
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** The port of the client tells one connection from another. */
  const get = async (ca: string, options: RequestOptions = {}) => {
    const request = httpsGet(`${service.url}/livez`, { ca, ...options });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const socket = response.socket as TLSSocket;
    const { localPort } = socket;
    const protocol = socket.getProtocol();
    response.resume();
    await once(response, 'end');
    return { status: response.statusCode, protocol, localPort };
  };
  try {
    assert.match(service.url, /^https:/);
    assert.match(service.adminUrl, /^http:/);
    const { status, protocol, localPort } = await get(FIRST.cert, { agent });
    assert.deepEqual([status, protocol], [200, 'TLSv1.3']);
    assert.equal((await get(FIRST.cert, { maxVersion: 'TLSv1.2' })).protocol, 'TLSv1.2');
    await assert.rejects(
      get(FIRST.cert, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }),
      /alert protocol version/i,
    );
    await write(SECOND);
    await until('the new certificate', () => get(SECOND.cert, { agent: false }).then(Boolean, () => false));
    await assert.rejects(get(FIRST.cert, { agent: false }), /self-signed|unable to verify|DEPTH_ZERO/);
    assert.deepEqual(await get(FIRST.cert, { agent }), { status: 200, protocol: 'TLSv1.3', localPort });
  } finally {
    agent.destroy();
    await service.dispose();
  }
});

test('tis serve names faulty files with code 2', async () => {
  const files = await write({ ...FIRST, key: SECOND.key });
  const { code, stderr } = await tis(['serve', '--port', '0', '--data-dir', join(folder, 'data')], {
    env: { TIS_TLS_CERT: files.certificate, TIS_TLS_KEY: files.key },
  });
  assert.equal(code, 2);
  assert.match(stderr, /^tis: TIS_TLS_KEY: .* is not the key of the first certificate in \S+\n$/);
});
