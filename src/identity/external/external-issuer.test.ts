import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ServiceError } from '../../domain/errors.ts';
import { MINUTE, SECOND } from '../../domain/instant.ts';
import { createExternalIssuer, type ExternalIssuer, type ExternalIssuerConfig } from './external-issuer.ts';
import { beginTransaction, createTransactionSealer, TRANSACTION_LIFETIME } from './transaction.ts';

const ISSUER = 'https://id.example.org/plant';
const BACK = 'https://tis.example.org/auth/callback';
const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: 'https://login.example.org/authorize',
  token_endpoint: 'https://elsewhere.example/token',
  jwks_uri: `${ISSUER}/keys`,
};

let now = 0;
let asked: string[] = [];
let answer: () => Response | Promise<Response>;
const transaction = beginTransaction('/app/', 0);

const create = (config: Partial<ExternalIssuerConfig> = {}): ExternalIssuer =>
  createExternalIssuer(
    { issuer: ISSUER, clientId: 'tis', origins: [], ...config },
    () => now,
    async (input, init) => {
      asked.push(String(input));
      assert.equal(init?.redirect, 'error');
      return answer();
    },
  );

async function reasonOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(error instanceof ServiceError, String(error));
  return error.details.reason;
}

describe('an external issuer', () => {
  beforeEach(() => {
    now = 1_000_000;
    asked = [];
    answer = () => Response.json(METADATA);
  });

  it('is asked with the first sign-in, and again after an hour', async () => {
    const issuer = create();
    assert.deepEqual(asked, []);
    const url = new URL(await issuer.authorizationUrl(transaction, BACK));
    assert.equal(url.origin + url.pathname, METADATA.authorization_endpoint);
    const { code_challenge_method, redirect_uri, scope } = Object.fromEntries(url.searchParams);
    assert.deepEqual([code_challenge_method, redirect_uri, scope], ['S256', BACK, 'openid profile email']);
    assert.ok(!url.href.includes(transaction.verifier));
    now += 59 * MINUTE;
    await issuer.authorizationUrl(transaction, BACK);
    assert.equal(asked.length, 1);
    now += MINUTE;
    answer = () => new Response('no', { status: 502 });
    // What it said before stays good.
    await issuer.authorizationUrl(transaction, BACK);
    assert.equal(asked.length, 2);
  });

  it('is asked less and less often while it is away', async () => {
    answer = () => Promise.reject(new TypeError('fetch failed'));
    const issuer = create();
    for (let tries = 0; tries < 3_600; tries++) {
      assert.equal(
        await reasonOf(issuer.authorizationUrl(transaction, BACK)),
        'IDENTITY_PROVIDER_UNAVAILABLE',
      );
      now += SECOND;
    }
    // After 0, 5, 15, 35, 75, 155, 315 s, then every five minutes.
    assert.equal(asked.length, 7 + 10);
    now += 5 * MINUTE;
    answer = () => Response.json(METADATA);
    await issuer.authorizationUrl(transaction, BACK);
  });

  it('is refused when it has another name, says too much, or nothing that can be read', async () => {
    const answers = [
      () => Response.json({ ...METADATA, issuer: 'https://id.example.org/other' }),
      () => Response.json({ ...METADATA, padding: 'x'.repeat(300_000) }),
      () => new Response('<html>'),
      () => new Response('{}', { status: 404 }),
    ];
    for (const given of answers) {
      answer = given;
      assert.equal(
        await reasonOf(create().authorizationUrl(transaction, BACK)),
        'IDENTITY_PROVIDER_UNAVAILABLE',
      );
    }
  });

  it('cannot send a request to an origin that nobody has named', async () => {
    const back = new URL(`${BACK}?code=c&state=${transaction.state}`);
    assert.equal(await reasonOf(create().redeem(back, transaction)), 'SIGN_IN_REFUSED');
    assert.deepEqual(asked, [`${ISSUER}/.well-known/openid-configuration`]);
    const named = create({ origins: ['https://elsewhere.example'] });
    await reasonOf(named.redeem(back, transaction));
    assert.equal(asked.at(-1), METADATA.token_endpoint);
  });
});

describe('a transaction', () => {
  it('opens for its issuer and its time only', () => {
    const sealer = createTransactionSealer(Buffer.alloc(32, 1), ISSUER);
    const sealed = sealer.seal(transaction);
    assert.deepEqual(sealer.open(sealed, TRANSACTION_LIFETIME - 1), transaction);
    assert.equal(sealer.open(sealed, TRANSACTION_LIFETIME), undefined);
    assert.equal(sealer.open(`${sealed}A`, 0), undefined);
    assert.equal(sealer.open('', 0), undefined);
    assert.equal(
      createTransactionSealer(Buffer.alloc(32, 1), 'https://other.example').open(sealed, 0),
      undefined,
    );
    assert.equal(createTransactionSealer(Buffer.alloc(32, 2), ISSUER).open(sealed, 0), undefined);
  });
});
