// Identity tokens over HTTP: a forged, foreign or expired token is 401 on every interface, and the service never
// requests an address that a token names. A genuine token without the scope is 403.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { send } from '../support/http-client.ts';
import { exchange, parseAnswer } from '../support/raw-socket.ts';
import { RunningService } from '../support/running-service.ts';
import { TAXII_MEDIA_TYPE } from '../support/taxii-client.ts';
import type { RpcStatus, TaxiiFault } from '../support/wire.ts';
import { type Forge, startForge } from './token-forge.ts';

const COLLECTIONS = '/taxii2/collections/';

// The names of the tests come from this table.
const forge: Forge = await startForge();
let service: RunningService;
let started: number;

before(async () => {
  started = performance.now();
  service = await RunningService.start(forge.settings);
});
after(async () => {
  await forge.close();
  await service.dispose();
});

const search = (credential: string) =>
  send(`${service.url}/v1/indicators/search`, { method: 'POST', credential, body: {} });

async function assertRefused(credential: string): Promise<void> {
  const answer = await search(credential);
  const { code, message, details } = answer.expect<RpcStatus>(401);
  assert.equal(code, 16);
  assert.equal(message, 'the credential is not valid');
  assert.equal(details[0]?.reason, 'CREDENTIAL_INVALID');
  assert.equal(
    answer.headers.get('www-authenticate'),
    'Bearer realm="threat-indicator-service", error="invalid_token"',
  );
  assert.equal(answer.headers.has('ratelimit'), false);
}

describe('401', () => {
  for (const [fault, tokens] of Object.entries(forge.attacks)) {
    it(`for ${fault} (${tokens.length})`, async () => {
      for (const token of tokens) await assertRefused(token);
    });
  }

  it('for a bad token on TAXII too, in every form', async () => {
    const [bad = ''] = forge.attacks['another key of the same name'] ?? [];
    for (const authorization of [`Bearer ${bad}`, `Token ${bad}`, `Basic ${btoa(`user:${bad}`)}`]) {
      const headers = { authorization, accept: TAXII_MEDIA_TYPE };
      const answer = await send(service.url + COLLECTIONS, { headers });
      assert.equal(answer.expect<TaxiiFault>(401).http_status, '401');
    }
  });

  it('for nothing that could be a credential, without an error code', async () => {
    const huge = `Bearer ${forge.token({ padding: 'x'.repeat(9_000) })}`;
    for (const authorization of [undefined, 'Digest x', 'Bearer', huge]) {
      const headers = authorization === undefined ? {} : { authorization };
      const answer = await send(`${service.url}/v1/indicators/search`, { method: 'POST', headers });
      assert.equal(answer.expect<RpcStatus>(401).details[0]?.reason, 'CREDENTIAL_MISSING');
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="threat-indicator-service"');
    }
  });
});

it('a token of a megabyte is not even read', async () => {
  const request = `GET ${COLLECTIONS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${'e'.repeat(1_000_000)}\r\n\r\n`;
  const answer = await exchange(service.port, request);
  // The connection may be reset before a client that still writes has read the answer.
  if (answer !== '') assert.equal(parseAnswer(answer).status, 431);
  assert.equal((await search(forge.token())).status, 200);
});

describe('403', () => {
  it('for a scope that is not granted by exact match', async () => {
    for (const scope of [
      '',
      'indicators:reader',
      'indicators:rea',
      'INDICATORS:READ',
      'indicators:*',
      'openid',
    ]) {
      const answer = await search(forge.token({ scope }));
      assert.equal(answer.expect<RpcStatus>(403).code, 7);
      assert.equal(
        answer.headers.get('www-authenticate'),
        'Bearer realm="threat-indicator-service", error="insufficient_scope", scope="indicators:read"',
      );
      assert.equal(answer.headers.has('ratelimit'), true);
    }
  });

  it('for a genuine token on TAXII, whatever its scope', async () => {
    const token = forge.token({ scope: 'admin' });
    for (const authorization of [`Bearer ${token}`, `token ${token}`, `Basic ${btoa(`user:${token}`)}`]) {
      const headers = { authorization, accept: TAXII_MEDIA_TYPE };
      const answer = await send(service.url + COLLECTIONS, { headers });
      assert.equal(answer.expect<TaxiiFault>(403).error_code, 'API_KEY_REQUIRED');
      assert.equal(answer.headers.has('ratelimit'), true);
    }
  });
});

describe('200', () => {
  it('for a genuine token, wherever its scopes stand', async () => {
    for (const claims of [
      {},
      { scope: undefined, scp: 'indicators:read' },
      { scope: undefined, scp: ['openid', 'indicators:read'] },
      { scope: undefined, permissions: ['indicators:read'] },
      { scope: 'admin' },
      { aud: ['https://other.example.org', forge.settings.TIS_JWT_AUDIENCE] },
    ]) {
      assert.equal((await search(forge.token(claims))).status, 200);
    }
  });

  it('for the types JWT and none', async () => {
    for (const typ of ['JWT', 'application/at+jwt', undefined]) {
      assert.equal((await search(forge.token({}, { typ }))).status, 200);
    }
  });
});

it('nobody was asked for anything but the key set, and that rarely', () => {
  assert.deepEqual(forge.honeypot.requests, []);
  assert.ok(forge.provider.requests.every((path) => path === '/jwks.json'));
  // Once for the first token, then once in five seconds at most, for names that it did not have.
  const seconds = (performance.now() - started) / 1_000;
  const times = forge.provider.requests.length;
  assert.ok(times <= 1 + seconds / 5, `${times} times in ${seconds} s`);
});
