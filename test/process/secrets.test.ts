// Canaries in every secret, and a search for them in all that the service and its commands put out.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { openStores } from '../../src/service/stores.ts';
import { type Finished, serve, tis } from '../support/command-line.ts';
import { RestClient, send } from '../support/http-client.ts';
import { startIdentityProvider } from '../support/identity-provider.ts';
import { OPERATIONS, pathOf } from '../support/operations.ts';
import { OF_PAGE, PageClient } from '../support/page-client.ts';
import { exchange } from '../support/raw-socket.ts';
import { anEvent } from '../support/sensor-events.ts';
import { until } from '../support/until.ts';

/** No output holds this text by chance. */
const CANARY = 'c4n4ry';
const VALUE = '198.51.100.91';

/** What was put out, with a word on where. */
class Outputs {
  readonly #texts: (readonly [where: string, text: string])[] = [];

  add(where: string, text: string): void {
    this.#texts.push([where, text]);
  }

  addFinished(where: string, { stdout, stderr }: Finished): void {
    this.add(where, stdout + stderr);
  }

  get size(): number {
    return this.#texts.length;
  }

  assertWithout(secrets: Iterable<readonly [what: string, secret: string]>): void {
    for (const [what, secret] of secrets) {
      assert.ok(secret.length >= CANARY.length, what);
      for (const [where, text] of this.#texts) {
        assert.ok(!text.includes(secret), `${what} in ${where}: ${text.slice(0, 2_000)}`);
      }
    }
  }
}

/** A billing system that takes nothing and repeats the credential it got. */
async function startSink(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(503, { 'x-echo': request.headers.authorization ?? '' });
    response.end(`no: ${request.headers.authorization} ${request.url}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function freePort(): Promise<number> {
  const socket = createSocket();
  await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

test('no secret leaves the service: log, answers, metrics, commands, backup', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tis-secrets-'));
  const provider = await startIdentityProvider();
  const sink = await startSink();
  t.after(async () => {
    await provider.close();
    sink.closeAllConnections();
    sink.close();
    await rm(folder, { recursive: true });
  });
  const dataDir = join(folder, 'data');
  const outputs = new Outputs();
  const adminPort = await freePort();
  const env = {
    TIS_LOG_LEVEL: 'trace',
    TIS_ADMIN_PORT: String(adminPort),
    TIS_JWT_ISSUER: provider.issuer,
    TIS_JWT_AUDIENCE: provider.audience,
    TIS_JWT_JWKS_URL: `${provider.jwksUrl}?${CANARY}-jwks`,
    TIS_USAGE_SINK_URL: `http://127.0.0.1:${(sink.address() as AddressInfo).port}/${CANARY}-hook?t=${CANARY}-query`,
    TIS_USAGE_SINK_TOKEN: `${CANARY}-sink-token`,
    TIS_SECRET_SCANNING_KEYS: `https://127.0.0.1:9/${CANARY}-scanner`,
    TIS_OIDC_ISSUER: 'http://127.0.0.1:9',
    TIS_OIDC_CLIENT_ID: 'tis',
    TIS_OIDC_CLIENT_SECRET: `${CANARY}-oidc-secret`,
  };
  const command = (words: string, ...more: readonly string[]) =>
    tis([...words.split(' '), '--data-dir', dataDir, ...more], { env: { ...env, TIS_ADMIN_PORT: 'off' } });
  const issue = async (...words: string[]): Promise<{ id: string; key: string }> =>
    JSON.parse((await command('keys create', '--name', 'key', '--json', ...words)).stdout);

  const admin = await issue('--scope', 'admin');
  const reader = await issue();
  const sensor = await issue('--sensor');
  const token = provider.token({ scope: 'indicators:read indicators:verify' });
  const forged = provider.forgedToken();
  const unknown = admin.key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));

  const invitation = JSON.parse((await command('users create', 'ann', '--json')).stdout) as { link: string };
  const linkToken = invitation.link.split('#')[1] ?? '';

  const soar = JSON.parse(
    (await command('clients create', '--name', 'soar', '--confidential', '--json')).stdout,
  ) as {
    id: string;
    secret: string;
  };

  const { process: served, url } = await serve(dataDir, { env });
  const page = new PageClient(url);
  const passwords = [`${CANARY} turbines turn`, 'a wrong pass phrase'];
  for (const body of [
    { token: linkToken },
    { token: linkToken, password: passwords[0] },
    { token: linkToken },
  ])
    await page.post('/auth/link', body);
  for (const password of passwords) {
    const { text } = await page.post('/auth/password', { login: 'ann', password });
    outputs.add('signing in', text);
  }
  const cookies = [...page.allCookies];
  assert.equal(cookies.length, 4);
  const tokenOf = async (secret: string) => {
    const answer = await fetch(`${url}/oidc/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${soar.id}:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'indicators:read' }),
    });
    return answer.text();
  };
  const { access_token: ownToken } = JSON.parse(await tokenOf(soar.secret)) as { access_token: string };
  outputs.add('a wrong secret of a client', await tokenOf(`${CANARY}-guess`));
  for (const path of ['/auth/start', `/auth/callback?code=${CANARY}-code&state=${CANARY}-state`])
    for (const accept of ['text/html', 'application/json']) {
      const answer = await fetch(url + path, { headers: { accept }, redirect: 'manual' });
      outputs.add(path.split('?')[0] ?? '', JSON.stringify([...answer.headers]) + (await answer.text()));
    }
  const client = new RestClient(url, admin.key);
  const { plaintext: rotated }: { plaintext: string } = (
    await client.send(`/v1/apiKeys/${reader.id}:rotate`, { method: 'POST', body: {} })
  ).expect(200);
  const { results } = await new RestClient(url, sensor.key).ingest([anEvent({ value: VALUE })]);
  const indicator = results[0]?.indicatorId ?? '';
  await until('enrichment', async () => (await client.get(indicator)).state === 'INDICATOR_STATE_ENRICHED');
  await new RestClient(url, token).verify(indicator, { note: 'seen' });
  // The sink refuses what this search is billed with.
  await client.search({ query: VALUE });

  /** @param sent what the request holds outside of its credential: an answer may name the id that its client sent. */
  const ask = async (where: string, address: string, parts: Parameters<typeof send>[1], sent?: string) => {
    const { status, headers, text } = await send(address, parts);
    const body = sent === undefined ? text : text.replaceAll(sent, '');
    outputs.add(`${where}, status ${status}`, `${JSON.stringify([...headers])}\n${body}`);
  };
  const credentials = [admin.key, reader.key, sensor.key, rotated, token, forged, unknown];
  for (const credential of credentials) {
    for (const operation of OPERATIONS) {
      const { method } = operation;
      const where = `${method} ${operation.template}`;
      await ask(where, `${url}${pathOf(operation, indicator)}`, {
        method,
        credential,
        body: method === 'GET' ? undefined : { x: 1 },
      });
      await ask(
        `${where}, with the credential in all places`,
        `${url}${pathOf(operation, credential)}?${credential}=${credential}`,
        { method, credential, body: method === 'GET' ? undefined : `{"x":"${credential}` },
        credential,
      );
    }
    for (const path of ['taxii2/', 'taxii2/collections/', 'taxii2/api/', 'nothing']) {
      for (const authorization of [
        `Bearer ${credential}`,
        `Basic ${Buffer.from(`user:${credential}`).toString('base64')}`,
        `Digest ${credential}`,
        credential,
      ]) {
        await ask(path, `${url}/${path}`, { headers: { authorization, accept: credential } });
        await ask(
          path,
          `${url}/${path}${credential}?next=${credential}`,
          { headers: { authorization } },
          credential,
        );
      }
    }
    await ask('leak report', `${url}/v1/apiKeys:reportLeaked`, {
      method: 'POST',
      headers: {
        'github-public-key-identifier': credential,
        'github-public-key-signature': Buffer.from(credential).toString('base64'),
      },
      body: [{ token: credential, type: 'tis', url: credential }],
    });
    for (const path of [
      'metrics',
      'internal/authorize',
      `internal/authorize?token=${credential}`,
      credential,
    ]) {
      await ask(`admin port, ${path}`, `http://127.0.0.1:${adminPort}/${path}`, { credential });
    }
    const head = `Authorization: Bearer ${credential}\r\n`;
    for (const request of [
      `GET /${credential} HTTP/9\r\n${head}\r\n`,
      `GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${head}${head}\r\n`,
      `GET / HTTP/1.1\r\n${head}X: ${'x'.repeat(20_000)}\r\n\r\n`,
    ]) {
      outputs.add('raw request', await exchange(Number(new URL(url).port), request));
    }
  }
  for (const path of ['auth/session', 'auth/sessions', 'auth/passkeys', 'v1/usage', 'taxii2/', 'nothing'])
    await ask(path, `${url}/${path}`, { headers: { ...OF_PAGE, cookie: page.cookie } });
  await ask('every cookie', `${url}/v1/usage`, { headers: { ...OF_PAGE, cookie: cookies.join('; ') } });
  for (const path of ['livez', 'readyz', 'openapi.json']) await ask(path, `${url}/${path}`, {});
  await until('a refused export in the log', () => served.stderr.includes('usage sink') || undefined);

  for (const words of [
    'audit',
    'keys list',
    'users list',
    'clients list',
    'usage',
    `explain ${VALUE}`,
    'jobs list',
    'jobs retry',
    'check',
    `backup ${join(folder, 'backup')}`,
  ]) {
    for (const more of [[], ['--json']]) {
      if (words.startsWith('backup') && more.length > 0)
        await rm(join(folder, 'backup'), { recursive: true });
      const finished = await command(words, ...more);
      assert.equal(finished.code, 0, `${words}: ${finished.stderr}`);
      outputs.addFinished(`tis ${words} ${more}`, finished);
    }
  }
  for (const words of [`keys revoke ${admin.key}`, `explain ${reader.key}`, 'work --once', 'migrate']) {
    outputs.addFinished(words, {
      ...(await command(words)),
      // The command repeats the word that the operator typed.
      ...(words.startsWith('explain') ? { stderr: '' } : {}),
    });
  }
  outputs.addFinished(
    'tis restore',
    await tis(['restore', join(folder, 'backup'), '--data-dir', join(folder, 'restored')], { env }),
  );
  const finished = await served.kill('SIGTERM');
  assert.equal(finished.code, 0, finished.stderr);
  outputs.addFinished('the log', finished);

  const secrets = new Map([
    ...credentials.map((credential, index) => [`credential ${index}`, credential] as const),
    ['the secret of a client', soar.secret],
    ...[token, forged, ownToken].map(
      (text, index) => [`signature ${index}`, text.split('.')[2] ?? ''] as const,
    ),
    ['a canary of an address or token', CANARY],
    ['a link', linkToken],
    ...cookies.map((pair, index) => [`cookie ${index}`, pair.split('=')[1] ?? ''] as const),
    ...passwords.map((text, index) => [`password ${index}`, text] as const),
  ]);
  const files = new Outputs();
  for (const place of ['data', 'backup', 'restored']) {
    for (const name of await readdir(join(folder, place))) {
      const bytes = await readFile(join(folder, place, name));
      files.add(`${place}/${name}`, bytes.toString('latin1'));
      if (name.endsWith('.json')) outputs.add(`${place}/${name}`, bytes.toString());
    }
  }
  assert.ok(outputs.size > 300, `${outputs.size} outputs`);
  assert.ok(files.size > 5, `${files.size} files`);
  files.assertWithout(secrets);

  const stores = await openStores(readConfig({ TIS_DATA_DIR: dataDir }));
  const { secret } = stores.installation;
  const [signing] = await stores.openidKeys.list();
  outputs.assertWithout([['the signing key', String(signing?.jwk.d)]]);
  await stores.close();
  for (const encoding of ['hex', 'base64', 'latin1'] as const) {
    secrets.set(`installation secret as ${encoding}`, secret.toString(encoding));
  }
  for (const credential of credentials) {
    const hash = createHash('sha256').update(credential).digest('hex');
    secrets.set(`hash of ${credential.slice(0, 8)}, ${hash.slice(0, 4)}`, hash);
    secrets.set(`Basic ${hash.slice(0, 4)}`, Buffer.from(`user:${credential}`).toString('base64'));
  }
  outputs.assertWithout(secrets);
});

test('no command repeats an address with a password', async () => {
  const outputs = new Outputs();
  for (const name of [
    'TIS_USAGE_SINK_URL',
    'TIS_JWT_JWKS_URL',
    'TIS_JWT_ISSUER',
    'TIS_PUBLIC_URL',
    'TIS_SECRET_SCANNING_KEYS',
    'TIS_CORS_ORIGINS',
    'TIS_HOST',
  ]) {
    for (const words of [
      ['serve', '--port', '0'],
      ['jobs', 'list'],
    ]) {
      const finished = await tis(words, {
        env: { [name]: `https://user:${CANARY}@host.example.org`, TIS_DATA_DIR: '/dev/null/store' },
      });
      assert.equal(finished.code, 2);
      assert.match(
        finished.stderr,
        new RegExp(`^tis: ${name}: an address must not contain a user or a password`),
      );
      outputs.addFinished(`${name} of ${words.join(' ')}`, finished);
    }
  }
  outputs.assertWithout([['the password', CANARY]]);
});
