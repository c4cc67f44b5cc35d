import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type ErrorCode, ServiceError } from '../domain/errors.ts';
import type { ApiKey } from '../store/api-key.ts';
import { openTemporaryStore, type TemporaryStore } from '../store/contract/temporary-store.test-support.ts';
import type { Stores } from '../store/stores.ts';
import { createGateway } from './authenticate.ts';
import type { Caller } from './caller.ts';
import {
  DEFAULT_OVERLAP,
  issueKey,
  MAX_LIVE_KEYS,
  MAX_NEW_KEYS,
  revokeKey,
  rotateKey,
} from './key-commands.ts';
import type { KeySpec } from './key-spec.ts';

const NOW = Date.UTC(2026, 10, 20);
const DAY = 86_400_000;
const HOUR = 3_600_000;

let opened: TemporaryStore;
let stores: Stores;

/** Called in each group: a hook of the file would run for every test of all unit files, which share one process. */
function startFresh(): void {
  beforeEach(async () => {
    opened = await openTemporaryStore(() => NOW);
    stores = opened.stores;
  });
  afterEach(() => opened.dispose());
}

const manager = (fields: Partial<Caller> = {}): Caller => ({
  credential: 'jwt',
  id: 'issuer|manager',
  account: 'plant-4',
  actor: 'manager',
  name: 'manager',
  scopes: new Set(['keys:manage', 'indicators:read']),
  ceiling: 'AMBER',
  reliability: 0.6,
  ...fields,
});

/** A key that may make keys, in the account of the manager. */
const PLANT = { account: 'plant-4' };
const SPEC: KeySpec = { name: 'root', scopes: ['keys:manage', 'indicators:read'], ...PLANT };

/** The caller as the gateway finds it from a key. */
const asCaller = ({ id, firstKeyId, account, name, scopes, tlpCeiling, reliability }: ApiKey): Caller => ({
  credential: 'api-key',
  id,
  account,
  actor: id,
  ...(firstKeyId === undefined ? {} : { reportsAs: firstKeyId }),
  name,
  scopes: new Set(scopes),
  ceiling: tlpCeiling,
  reliability,
});

const FILLER: Omit<ApiKey, 'id'> = {
  createdBy: 'cli',
  name: 'filler',
  account: 'plant-4',
  sensor: false,
  scopes: [],
  tlpCeiling: 'CLEAR',
  reliability: 0,
  sources: [],
  sourceRanges: [],
  prefix: 'tis_abcd',
  lastFour: 'wxyz',
  createdAt: NOW,
};

/** Adds keys to the account of the manager. */
const fill = (count: number, fields: Partial<ApiKey> = {}): Promise<void> =>
  stores.write(async (tx) => {
    for (let made = 0; made < count; made++) {
      const id = `key-${made}`;
      await tx.keys.add({ ...FILLER, ...fields, id }, createHash('sha256').update(id).digest('hex'));
    }
  });

const rejects = (asked: Promise<unknown>, code: ErrorCode, reason?: string): Promise<void> =>
  assert.rejects(asked, (error) => {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, code);
    if (reason !== undefined) assert.equal(error.details.reason, reason);
    return true;
  });

describe('issueKey', () => {
  startFresh();

  it('stores the hash, shows the key once and gives the defaults', async () => {
    const { key, plaintext } = await issueKey(stores, { name: 'siem' }, 'cli', NOW);
    assert.match(plaintext, /^tis_[0-9A-Za-z]{49}$/);
    assert.deepEqual(key, {
      id: key.id,
      createdBy: 'cli',
      name: 'siem',
      account: 'default',
      sensor: false,
      scopes: ['indicators:read'],
      tlpCeiling: 'AMBER_STRICT',
      reliability: 0.7,
      sources: [],
      sourceRanges: [],
      prefix: plaintext.slice(0, 8),
      lastFour: plaintext.slice(-4),
      createdAt: NOW,
    });
    assert.match(key.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(await stores.keys.byHash(createHash('sha256').update(plaintext).digest('hex')), key);
  });

  it('gives what was asked for, in one way of writing', async () => {
    const { key } = await issueKey(
      stores,
      {
        name: 'poller',
        account: 'plant-4',
        scopes: ['usage:read', 'events:write', 'usage:read'],
        tlpCeiling: 'RED',
        reliability: 1,
        expiresAt: NOW + DAY,
        sources: ['ESET', 'CISA', 'ESET'],
        sourceRanges: ['192.0.2.9/24', '192.0.2.0/24', '2001:db8::1'],
      },
      'cli',
      NOW,
    );
    assert.deepEqual(key.scopes, ['events:write', 'usage:read']);
    assert.deepEqual(key.sources, ['CISA', 'ESET']);
    assert.deepEqual(key.sourceRanges, ['192.0.2.0/24', '2001:db8::1/128']);
    assert.equal(key.expiresAt, NOW + DAY);
    assert.deepEqual([key.account, key.tlpCeiling, key.reliability], ['plant-4', 'RED', 1]);
  });

  it('gives a sensor key no scopes', async () => {
    const { key, plaintext } = await issueKey(stores, { name: 'conpot-1', sensor: true }, 'cli', NOW);
    assert.match(plaintext, /^tiss_/);
    assert.deepEqual([key.sensor, key.scopes, key.prefix], [true, [], plaintext.slice(0, 9)]);
    await rejects(
      issueKey(stores, { name: 's', sensor: true, scopes: ['admin'] }, 'cli', NOW),
      'invalid_argument',
    );
  });

  it('names every fault at once', async () => {
    const spec: KeySpec = {
      name: ' ',
      account: '',
      scopes: ['indicators:read', 'indicators:reader'],
      tlpCeiling: 'UNSPECIFIED',
      reliability: Number.NaN,
      expiresAt: NOW,
      sources: ['CISA', ' ', 'x'.repeat(129)],
      sourceRanges: ['192.0.2.0/24', 'office'],
    };
    await assert.rejects(issueKey(stores, spec, 'cli', NOW), (error) => {
      assert.ok(error instanceof ServiceError);
      assert.deepEqual(
        error.details.violations?.map(({ field }) => field),
        [
          'name',
          'account',
          'scopes[1]',
          'tlpCeiling',
          'reliability',
          'expiresAt',
          'sources',
          'sources[1]',
          'sources[2]',
          'sourceRanges[1]',
        ],
      );
      return true;
    });
    for (const fault of [
      { reliability: 1.01 },
      { reliability: -0.1 },
      { expiresAt: 1e16 },
      { name: 'a\u202eb' },
      { scopes: ['feed:write'], sources: ['CISA'] },
      { sensor: true, sources: Array.from({ length: 51 }, (_, index) => `s${index}`) },
    ]) {
      await rejects(issueKey(stores, { name: 'x', ...fault }, 'cli', NOW), 'invalid_argument');
    }
    assert.deepEqual(await stores.keys.list(), []);
  });

  it('mints nothing beyond the issuer', async () => {
    const refused = (spec: Partial<KeySpec>, reason: string, issuer = manager()): Promise<void> =>
      rejects(issueKey(stores, { name: 'x', ...spec }, issuer, NOW), 'permission_denied', reason);
    await refused({ scopes: ['indicators:read', 'indicators:verify'] }, 'SCOPE_BEYOND_ISSUER');
    await refused({ scopes: ['admin'] }, 'SCOPE_BEYOND_ISSUER');
    await refused({ sensor: true }, 'SCOPE_BEYOND_ISSUER');
    await refused({}, 'SCOPE_BEYOND_ISSUER', manager({ scopes: new Set(['keys:manage']) }));
    await refused({ tlpCeiling: 'AMBER_STRICT' }, 'CEILING_BEYOND_ISSUER');
    await refused({ reliability: 0.61 }, 'RELIABILITY_BEYOND_ISSUER');
    const named = (...sources: string[]) =>
      manager({ scopes: new Set(['keys:manage', 'events:write', 'admin']), sources });
    await refused({ sensor: true, sources: ['CISA'] }, 'SOURCE_BEYOND_ISSUER', named());
    await refused({ sensor: true, sources: ['CISA', '*'] }, 'SOURCE_BEYOND_ISSUER', named('CISA', 'ESET'));
    // A listed source counts as independent; one that `*` allows does not.
    await refused({ sensor: true, sources: ['CISA'] }, 'SOURCE_BEYOND_ISSUER', named('*'));
    await refused({ account: 'default' }, 'ACCOUNT_BEYOND_ISSUER');
    await refused({ account: 'default' }, 'ACCOUNT_BEYOND_ISSUER', manager({ scopes: new Set(['admin']) }));
    assert.deepEqual(await stores.keys.list(), []);
  });

  it('needs the scope keys:manage', async () => {
    const reader = manager({ scopes: new Set(['indicators:read']) });
    await rejects(issueKey(stores, { name: 'x' }, reader, NOW), 'permission_denied', 'INSUFFICIENT_SCOPE');
    const sensor = manager({ credential: 'sensor-key', scopes: new Set(['keys:manage']) });
    await rejects(issueKey(stores, { name: 'x' }, sensor, NOW), 'permission_denied', 'INSUFFICIENT_SCOPE');
  });

  it('lowers its defaults to what the issuer has', async () => {
    const { key } = await issueKey(stores, { name: 'x' }, manager(), NOW);
    assert.deepEqual([key.account, key.tlpCeiling, key.reliability], ['plant-4', 'AMBER', 0.6]);
  });

  it('lets admin grant every scope', async () => {
    const admin = manager({ scopes: new Set(['admin']) });
    const { key } = await issueKey(stores, { name: 'x', scopes: ['admin', 'feed:write'] }, admin, NOW);
    assert.deepEqual(key.scopes, ['feed:write', 'admin']);
    assert.equal((await issueKey(stores, { name: 's', sensor: true }, admin, NOW)).key.sensor, true);
  });

  it('bounds the live keys of an account', async () => {
    await fill(MAX_LIVE_KEYS - 1);
    const { key } = await issueKey(stores, { name: 'last', expiresAt: NOW + 1 }, manager(), NOW);
    for (const issuer of [manager(), 'cli'] as const) {
      const asked = issueKey(stores, { name: 'x', ...PLANT }, issuer, NOW);
      await rejects(asked, 'failed_precondition', 'TOO_MANY_KEYS');
    }
    await rejects(rotateKey(stores, key.id, DAY, manager(), NOW), 'failed_precondition', 'TOO_MANY_KEYS');
    await rotateKey(stores, key.id, 0, manager(), NOW);
    await issueKey(stores, { name: 'x' }, 'cli', NOW);
    // An expired key makes room, and so does a revoked one.
    await issueKey(stores, { name: 'x' }, manager(), NOW + 1);
    await rejects(issueKey(stores, { name: 'x' }, manager(), NOW + 1), 'failed_precondition');
    await revokeKey(stores, 'key-7', 'cli', NOW + 1);
    await issueKey(stores, { name: 'x' }, manager(), NOW + 1);
  });

  it('bounds the keys that the credentials of an account get in a day', async () => {
    await fill(MAX_NEW_KEYS - 1, { revokedAt: NOW });
    const at = NOW + HOUR;
    const { key } = await issueKey(stores, { name: 'last' }, manager(), at);
    const asked = issueKey(stores, { name: 'x' }, manager(), at);
    await rejects(asked, 'resource_exhausted', 'TOO_MANY_NEW_KEYS');
    await rejects(rotateKey(stores, key.id, 0, manager(), at), 'resource_exhausted', 'TOO_MANY_NEW_KEYS');
    await asked.catch(({ details }) => assert.equal(details.retryAfterMs, 23 * HOUR));
    await issueKey(stores, { name: 'x', ...PLANT }, 'cli', at);
    await issueKey(stores, { name: 'x' }, manager(), NOW + DAY);
  });

  it('is in the audit log without the key', async () => {
    const { key, plaintext } = await issueKey(stores, { name: 'siem' }, manager(), NOW);
    const [entry] = await stores.audit(10);
    assert.partialDeepStrictEqual(entry, {
      at: NOW,
      actor: 'manager',
      action: 'key.create',
      target: key.id,
      detail: {
        name: 'siem',
        account: 'plant-4',
        kind: 'client',
        scopes: 'indicators:read',
        tlpCeiling: 'AMBER',
      },
    });
    assert.ok(!JSON.stringify(entry).includes(plaintext.slice(4)));
  });
});

describe('rotateKey', () => {
  startFresh();

  it('issues the same rights again and lets the old key end after the overlap', async () => {
    const spec: KeySpec = {
      name: 'siem',
      scopes: ['events:write'],
      reliability: 0.2,
      sources: ['CISA'],
      sourceRanges: ['192.0.2.0/24'],
    };
    const old = await issueKey(stores, spec, 'cli', NOW);
    const { key, plaintext } = await rotateKey(stores, old.key.id, DEFAULT_OVERLAP, 'cli', NOW + DAY);
    assert.notEqual(plaintext, old.plaintext);
    const { id, prefix, lastFour } = key;
    const firstKeyId = old.key.id;
    assert.deepEqual(key, { ...old.key, id, firstKeyId, prefix, lastFour, createdAt: NOW + DAY });
    const [successor, predecessor] = await stores.keys.list();
    assert.deepEqual(successor, key);
    assert.deepEqual(predecessor, { ...old.key, successorId: id, expiresAt: NOW + 2 * DAY });
    assert.deepEqual(
      (await stores.audit(10)).map(({ action, target }) => [action, target]),
      [
        ['key.create', key.id],
        ['key.rotate', old.key.id],
        ['key.create', old.key.id],
      ],
    );
  });

  it('names the first key of the line, however long it is', async () => {
    const first = await issueKey(stores, { name: 'plant', sensor: true }, 'cli', NOW);
    assert.equal(first.key.firstKeyId, undefined);
    const second = await rotateKey(stores, first.key.id, DAY, 'cli', NOW + 1);
    const third = await rotateKey(stores, second.key.id, DAY, 'cli', NOW + 2);
    assert.deepEqual([second.key.firstKeyId, third.key.firstKeyId], [first.key.id, first.key.id]);
  });

  it('gives the successor as long a life, and the old key none beyond its own', async () => {
    const old = await issueKey(stores, { name: 'siem', expiresAt: NOW + 10 * DAY }, 'cli', NOW);
    const at = NOW + 10 * DAY - 1_000;
    const { key } = await rotateKey(stores, old.key.id, DAY, 'cli', at);
    assert.equal(key.expiresAt, at + 10 * DAY);
    assert.equal((await stores.keys.list()).find(({ id }) => id === old.key.id)?.expiresAt, NOW + 10 * DAY);
  });

  it('can end the old key at once', async () => {
    const old = await issueKey(stores, { name: 'siem' }, 'cli', NOW);
    await rotateKey(stores, old.key.id, 0, 'cli', NOW + 5);
    assert.equal((await stores.keys.list()).find(({ id }) => id === old.key.id)?.expiresAt, NOW + 5);
  });

  it('refuses keys that have ended, are unknown or belong to another account', async () => {
    const revoked = await issueKey(stores, { name: 'a' }, 'cli', NOW);
    await revokeKey(stores, revoked.key.id, 'cli', NOW);
    await rejects(rotateKey(stores, revoked.key.id, 0, 'cli', NOW), 'failed_precondition');
    const expired = await issueKey(stores, { name: 'b', expiresAt: NOW + 1 }, 'cli', NOW);
    await rejects(rotateKey(stores, expired.key.id, 0, 'cli', NOW + 1), 'failed_precondition');
    await rejects(rotateKey(stores, 'nothing', 0, 'cli', NOW), 'not_found');
    const foreign = await issueKey(stores, { name: 'c' }, 'cli', NOW);
    await rejects(rotateKey(stores, foreign.key.id, 0, manager(), NOW), 'not_found');
    for (const overlap of [-1, 0.5, Number.NaN]) {
      await rejects(rotateKey(stores, foreign.key.id, overlap, 'cli', NOW), 'invalid_argument');
    }
    assert.equal((await stores.keys.list()).length, 3);
  });

  it('hands nobody a key beyond their own rights', async () => {
    const strong = await issueKey(stores, { name: 'a', account: 'plant-4', tlpCeiling: 'RED' }, 'cli', NOW);
    await rejects(
      rotateKey(stores, strong.key.id, 0, manager(), NOW),
      'permission_denied',
      'CEILING_BEYOND_ISSUER',
    );
    const reader = manager({ scopes: new Set(['indicators:read']) });
    await rejects(
      rotateKey(stores, strong.key.id, 0, reader, NOW),
      'permission_denied',
      'INSUFFICIENT_SCOPE',
    );
  });

  it('rotates a key once: a line has one newest key', async () => {
    const old = await issueKey(stores, { name: 'a' }, 'cli', NOW);
    const { key } = await rotateKey(stores, old.key.id, DAY, 'cli', NOW);
    await rejects(rotateKey(stores, old.key.id, DAY, 'cli', NOW), 'failed_precondition', 'KEY_ROTATED');
    assert.equal((await rotateKey(stores, key.id, DAY, 'cli', NOW)).key.firstKeyId, old.key.id);
    assert.equal((await stores.keys.list()).length, 3);
  });

  it('gives a successor no later end than its issuer, and than the parent of the old key', async () => {
    const root = await issueKey(stores, { ...SPEC, expiresAt: NOW + 10 * DAY }, 'cli', NOW);
    const child = await issueKey(stores, { name: 'b', expiresAt: NOW + 4 * DAY }, asCaller(root.key), NOW);
    const at = NOW + 3 * DAY;
    const renewed = await rotateKey(stores, child.key.id, DAY, asCaller(root.key), at);
    assert.equal(renewed.key.expiresAt, at + 4 * DAY);
    const later = await rotateKey(stores, renewed.key.id, 9 * DAY, 'cli', at + 3 * DAY);
    assert.equal(later.key.expiresAt, NOW + 10 * DAY);
    assert.deepEqual(
      [later.key.parentId, later.key.group, later.key.createdBy],
      [root.key.id, root.key.id, 'cli'],
    );
    const endless = await issueKey(stores, { name: 'c', ...PLANT }, 'cli', NOW);
    const admin = manager({ scopes: new Set(['admin']), ceiling: 'RED', reliability: 1 });
    const bounded = await rotateKey(stores, endless.key.id, DAY, admin, NOW);
    assert.equal(bounded.key.expiresAt, NOW + 365 * DAY);
  });
});

describe('revokeKey', () => {
  startFresh();

  it('ends the key and keeps the first instant when repeated', async () => {
    const { key } = await issueKey(stores, { name: 'a' }, 'cli', NOW);
    assert.equal((await revokeKey(stores, key.id, 'cli', NOW + 1)).key.revokedAt, NOW + 1);
    assert.equal((await revokeKey(stores, key.id, 'cli', NOW + 9)).key.revokedAt, NOW + 1);
    assert.deepEqual(
      (await stores.audit(9)).map(({ action }) => action),
      ['key.revoke', 'key.create'],
    );
  });

  it('finds no key of another account, and leaves it as it was', async () => {
    const { key } = await issueKey(stores, { name: 'a' }, 'cli', NOW);
    await rejects(revokeKey(stores, key.id, manager(), NOW), 'not_found', 'KEY_NOT_FOUND');
    await rejects(revokeKey(stores, 'nothing', 'cli', NOW), 'not_found', 'KEY_NOT_FOUND');
    assert.deepEqual(await stores.keys.list(), [key]);
    assert.equal((await stores.audit(10)).length, 1);
  });

  it('ends what was made with the key, and what belongs to a line whose newest key it is', async () => {
    const make = async (by: ApiKey) => (await issueKey(stores, SPEC, asCaller(by), NOW)).key;
    const rotate = async (key: ApiKey, by: ApiKey | 'cli') =>
      (await rotateKey(stores, key.id, DAY, by === 'cli' ? by : asCaller(by), NOW)).key;
    const othersOf = async (key: ApiKey) =>
      (await revokeKey(stores, key.id, 'cli', NOW + 1)).others.map(({ id }) => id).toSorted();
    const idsOf = (...keys: ApiKey[]) => keys.map(({ id }) => id).toSorted();

    // The operator replaces a key: the successor and its keys stay, those made with the old key end.
    const first = (await issueKey(stores, SPEC, 'cli', NOW)).key;
    const early = await make(first);
    const second = await rotate(first, 'cli');
    const late = await make(second);
    assert.deepEqual(await othersOf(first), idsOf(early));
    assert.deepEqual(await othersOf(second), idsOf(late));

    // With the newest key the line has ended: the key in its overlap, and the keys of both.
    const old = (await issueKey(stores, SPEC, 'cli', NOW)).key;
    const older = await make(old);
    const newest = await rotate(old, 'cli');
    const younger = await make(newest);
    assert.deepEqual(await othersOf(newest), idsOf(old, older, younger));

    // A successor that the key made of itself ends with it, and so does the successor of its child.
    const self = (await issueKey(stores, SPEC, 'cli', NOW)).key;
    const own = await rotate(self, self);
    const child = await make(own);
    const renewed = await rotate(child, 'cli');
    assert.deepEqual(await othersOf(self), idsOf(own, child, renewed));
    const live = await stores.keys.live(PLANT.account, NOW + 1);
    assert.deepEqual(live, []);
  });

  it('leaves no key that makes another at the same moment', async () => {
    const root = await issueKey(stores, SPEC, 'cli', NOW);
    const issuer = asCaller(root.key);
    const results = await Promise.allSettled([
      issueKey(stores, { name: 'before' }, issuer, NOW),
      revokeKey(stores, root.key.id, 'cli', NOW),
      // The gateway still knows the key for half a second.
      issueKey(stores, { name: 'after' }, issuer, NOW),
      rotateKey(stores, root.key.id, DAY, issuer, NOW),
      revokeKey(stores, root.key.id, issuer, NOW),
    ]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'rejected', 'rejected'],
    );
    await rejects(issueKey(stores, { name: 'x' }, issuer, NOW), 'unauthenticated', 'CREDENTIAL_INVALID');
    assert.deepEqual(await stores.keys.live(PLANT.account, NOW), []);
  });

  it('needs the scope keys:manage', async () => {
    const { key } = await issueKey(stores, { name: 'a', account: 'plant-4' }, 'cli', NOW);
    const reader = manager({ scopes: new Set(['indicators:read']) });
    await rejects(revokeKey(stores, key.id, reader, NOW), 'permission_denied', 'INSUFFICIENT_SCOPE');
  });
});

describe('keys and the gateway', () => {
  startFresh();

  it('agree from the issue over the rotation to the revocation', async () => {
    let now = NOW;
    const gateway = createGateway({ keys: stores.keys, clock: () => now });
    const ask = (key: string): Promise<Caller> =>
      gateway.authenticate({ authorization: `Bearer ${key}` }, '192.0.2.1');

    const old = await issueKey(stores, { name: 'siem' }, 'cli', now);
    assert.equal((await ask(old.plaintext)).id, old.key.id);
    const successor = await rotateKey(stores, old.key.id, DAY, 'cli', now);
    now += DAY - 1;
    assert.equal((await ask(old.plaintext)).id, old.key.id);
    assert.equal((await ask(successor.plaintext)).id, successor.key.id);
    now += 1;
    await rejects(ask(old.plaintext), 'unauthenticated');
    await revokeKey(stores, successor.key.id, 'cli', now);
    now += 500;
    await rejects(ask(successor.plaintext), 'unauthenticated');
  });
});
