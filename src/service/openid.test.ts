// The embedded provider and the gateway on one store, without a server: keys that change, codes that two redeem at once, and
// requests that are too long.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { DAY, HOUR, MINUTE } from '../domain/instant.ts';
import { createOwnTokens } from '../gateway/own-tokens.ts';
import { createClient, type MadeClient } from '../identity/provider/client-commands.ts';
import type { ProviderAnswer } from '../identity/provider/exchange.ts';
import { createOpenidProvider, type OpenidProvider } from '../identity/provider/openid-provider.ts';
import { createProviderCommands } from '../identity/provider/provider-commands.ts';
import { createRecordAdapter } from '../identity/provider/record-adapter.ts';
import { openTemporaryStore, type TemporaryStore } from '../store/contract/temporary-store.test-support.ts';

const NAMES = { issuer: 'https://tis.example.org/oidc', audience: 'https://tis.example.org/v1' };

let opened: TemporaryStore;
let made: MadeClient;
/** How far the clock of the provider is ahead. */
let ahead = 0;
const clock = () => Date.now() + ahead;
const errors: unknown[] = [];

before(async () => {
  opened = await openTemporaryStore(() => Date.now());
  made = await createClient(opened.stores, { name: 'soar', confidential: true }, Date.now());
});
after(() => opened.dispose());

function parts() {
  const { openidRecords: records, openidClients: clients, openidKeys: keys, people } = opened.stores;
  const commands = createProviderCommands(opened.stores, clock);
  return { ...NAMES, records, clients, keys, people, commands, clock, monotonic: clock };
}

const create = (): OpenidProvider =>
  createOpenidProvider({
    ...parts(),
    keyAge: 30 * DAY,
    signOut: async () => undefined,
    onError: (error) => errors.push(error),
  });

function ask(
  provider: OpenidProvider,
  url: string,
  fields?: Record<string, string>,
): Promise<ProviderAnswer> {
  const { client, secret } = made;
  const credential = Buffer.from(`${client.id}:${secret}`).toString('base64');
  return provider.answer({
    method: fields === undefined ? 'GET' : 'POST',
    url,
    headers: {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      authorization: `Basic ${credential}`,
      ...(fields === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    body: Buffer.from(new URLSearchParams(fields).toString()),
  });
}

async function tokenFrom(provider: OpenidProvider): Promise<string> {
  const answer = await ask(provider, '/oidc/token', {
    grant_type: 'client_credentials',
    scope: 'indicators:read',
  });
  assert.equal(answer.status, 200, answer.body);
  return (JSON.parse(answer.body) as { access_token: string }).access_token;
}

const kidOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;

describe('the embedded provider', () => {
  it('changes its keys, and what an old one signed stays valid', async () => {
    const provider = create();
    // What it has read of the keys never gets old: an unknown key makes it read again.
    const tokens = createOwnTokens({ ...parts(), clock: Date.now, monotonic: () => 0 });
    const first = await tokenFrom(provider);
    assert.equal((await tokens.verify(first)).id, `client|${made.client.id}`);
    ahead = 30 * DAY;
    const meanwhile = await tokenFrom(provider);
    assert.equal(kidOf(meanwhile), kidOf(first));
    ahead += HOUR + MINUTE;
    const second = await tokenFrom(provider);
    assert.notEqual(kidOf(second), kidOf(first));
    for (const token of [first, meanwhile, second])
      assert.equal((await tokens.verify(token)).credential, 'client');
    const published = JSON.parse((await ask(provider, '/oidc/jwks')).body) as { keys: object[] };
    assert.equal(published.keys.length, 2);
    assert.ok(published.keys.every((key) => !('d' in key)));
    // Another thread finds the same keys.
    assert.equal(kidOf(await tokenFrom(create())), kidOf(second));
    ahead += 2 * DAY;
    await tokenFrom(provider);
    await assert.rejects(createOwnTokens({ ...parts(), clock: Date.now }).verify(first), /not valid/);
    ahead = 0;
  });

  it('names itself as its issuer, whatever a client says of the host', async () => {
    const { body } = await ask(create(), '/oidc/.well-known/openid-configuration');
    assert.doesNotMatch(body, /evil|http:/);
    const { scopes_supported, grant_types_supported } = JSON.parse(body) as Record<string, string[]>;
    assert.deepEqual(grant_types_supported, ['authorization_code', 'client_credentials']);
    assert.ok(scopes_supported?.includes('openid'));
  });

  it('keeps nothing of a request that is too long, and no code that could be redeemed', async () => {
    const adapter = createRecordAdapter('Code', parts());
    await assert.rejects(adapter.upsert('long', { scope: 'x'.repeat(9_000) }, 60));
    assert.equal(await adapter.find('long'), undefined);
    await adapter.upsert('a-code', { jti: 'a-code', grantId: 'g' }, 60);
    const kept = await opened.stores.openidRecords.byKey(hash('sha256', 'Code:a-code', 'hex'));
    assert.ok(kept !== undefined && !kept.payload.includes('a-code'));
    const both = await Promise.allSettled([adapter.consume('a-code'), adapter.consume('a-code')]);
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.equal(typeof (await adapter.find('a-code'))?.consumed, 'number');
    ahead = 2 * MINUTE;
    assert.equal(await adapter.find('a-code'), undefined);
    ahead = 0;
  });

  it('has answered every fault as one of its client', async () => {
    const provider = create();
    const long = 'x'.repeat(9_000);
    for (const url of [
      `/oidc/auth/unknown?client_id=${made.client.id}`,
      `/oidc/auth?client_id=${made.client.id}&client_id=`,
      `/oidc/session/end?state=${long}`,
      '/oidc/session/end/confirm?xsrf=__proto__',
      '/oidc/auth?client_id=%ff&redirect_uri=%00&max_age=%',
    ])
      for (const fields of [undefined, { grant_type: 'constructor', code: long }]) {
        const { status } = await ask(provider, url, fields);
        assert.ok(status >= 400 && status < 500, `${status} for ${url.slice(0, 80)}`);
      }
    assert.deepEqual(errors, []);
  });
});
