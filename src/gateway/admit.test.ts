import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ServiceError } from '../domain/errors.ts';
import { type Admission, createGate, FAILURE_LIMIT, type Gate } from './admit.ts';
import type { Authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { credentialInvalid, credentialMissing } from './credential.ts';

const HERE = '192.0.2.10';
const CREDENTIAL_LIMIT = { perMinute: 60, burst: 3 };

let now: number;
let gate: Gate;

/** The header names the caller. `bad` is no credential; `away` and `broken` are credentials that cannot be checked. */
const authenticate: Authenticate = async ({ authorization }) => {
  if (authorization === undefined) throw credentialMissing('rest');
  if (authorization === 'bad') throw credentialInvalid('made up');
  if (authorization === 'away') {
    throw new ServiceError('unavailable', 'not now', { reason: 'IDENTITY_PROVIDER_UNAVAILABLE' });
  }
  if (authorization === 'broken')
    throw new ServiceError('unavailable', 'not now', { reason: 'STORE_UNAVAILABLE' });
  return callerNamed(authorization);
};

function callerNamed(id: string): Caller {
  return {
    credential: 'api-key',
    id,
    account: 'default',
    actor: id,
    name: id,
    scopes: new Set(),
    ceiling: 'GREEN',
    reliability: 0.7,
  };
}

const ask = (authorization?: string, address = HERE): Promise<Admission> =>
  gate.admit({ authorization }, address);

const assertUnauthenticated = (asked: Promise<unknown>): Promise<void> =>
  assert.rejects(asked, (error) => error instanceof ServiceError && error.code === 'unauthenticated');

async function exhaust(address: string): Promise<void> {
  for (let count = 0; count < FAILURE_LIMIT.burst; count++) await assertUnauthenticated(ask('bad', address));
}

/** Called in each group: a hook of the file would run for every test of all unit files, which share one process. */
function startFresh(): void {
  beforeEach(() => {
    now = Date.UTC(2026, 10, 20);
    const gateway = { authenticate, authenticateTaxii: authenticate };
    gate = createGate({ gateway, credentialLimit: CREDENTIAL_LIMIT, clock: () => now });
  });
}

describe('a valid credential', () => {
  startFresh();

  it('is let in, and told what remains', async () => {
    assert.deepEqual(await ask('siem'), {
      fields: { 'ratelimit-policy': '"credential";q=3;w=3', ratelimit: '"credential";r=2;t=1' },
      caller: callerNamed('siem'),
    });
  });

  it('over its limit is refused with the time to come back', async () => {
    for (let count = 0; count < 3; count++) assert.equal((await ask('siem')).caller?.id, 'siem');
    const { caller, fields, refusal } = await ask('siem');
    assert.equal(caller, undefined);
    assert.equal(fields.ratelimit, '"credential";r=0;t=1');
    assert.equal(refusal?.code, 'resource_exhausted');
    assert.equal(refusal?.details.reason, 'RATE_LIMIT_EXCEEDED');
    assert.equal(refusal?.details.retryAfterMs, 1_000);
    assert.deepEqual(refusal?.details.metadata, { subject: 'credential', perMinute: '60', burst: '3' });
    now += 1_000;
    assert.equal((await ask('siem')).caller?.id, 'siem');
  });

  it('is counted once over both interfaces, and apart from others', async () => {
    for (let count = 0; count < 3; count++) await ask('siem');
    assert.ok((await gate.admitTaxii({ authorization: 'siem' }, HERE)).refusal);
    assert.equal((await ask('soar')).caller?.id, 'soar');
  });

  it('is counted by itself, not by its address', async () => {
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) await ask('siem', address);
    assert.ok((await ask('siem', '192.0.2.4')).refusal);
  });

  it('is served while others use up the failures of its address', async () => {
    await exhaust(HERE);
    assert.equal((await ask('siem')).caller?.id, 'siem');
  });
});

describe('a credential that is none', () => {
  startFresh();

  it('is counted by address, absent or bad, and refused beyond the limit', async () => {
    for (let count = 0; count < FAILURE_LIMIT.burst / 2; count++) {
      await assertUnauthenticated(ask());
      await assertUnauthenticated(gate.admitTaxii({ authorization: 'bad' }, HERE));
    }
    const { fields, refusal } = await ask();
    assert.deepEqual(fields, {
      'ratelimit-policy': '"address";q=600;w=60',
      ratelimit: '"address";r=0;t=1',
    });
    assert.equal(refusal?.details.metadata?.subject, 'address');
    assert.equal(refusal?.details.retryAfterMs, 100);
    await assertUnauthenticated(ask(undefined, '192.0.2.11'));
    now += 100;
    await assertUnauthenticated(ask());
  });

  it('is counted for a whole IPv6 /64', async () => {
    await exhaust('2001:db8::1');
    assert.ok((await ask('bad', '2001:db8::2')).refusal);
    await assertUnauthenticated(ask('bad', '2001:db8:0:1::1'));
  });
});

describe('a credential that cannot be judged', () => {
  startFresh();

  const assertUnavailable = (authorization: string): Promise<void> =>
    assert.rejects(
      ask(authorization),
      (error) => error instanceof ServiceError && error.code === 'unavailable',
    );

  it('is counted by address when the identity provider is unreachable', async () => {
    for (let count = 0; count < FAILURE_LIMIT.burst; count++) await assertUnavailable('away');
    assert.equal((await ask('away')).refusal?.details.metadata?.subject, 'address');
    assert.ok((await ask('bad')).refusal);
    assert.equal((await ask('siem')).caller?.id, 'siem');
  });

  it('costs nobody anything when the store is unreachable', async () => {
    for (let count = 0; count <= FAILURE_LIMIT.burst; count++) await assertUnavailable('broken');
    await assertUnauthenticated(ask('bad'));
  });
});
