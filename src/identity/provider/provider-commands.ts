// What the embedded provider writes. A thread that answers HTTP only reads, so these run in the thread that owns the writing
// connection. Arguments and answers are plain values.

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { Clock, Instant } from '../../domain/instant.ts';
import type { OpenidKey } from '../../store/openid-key.ts';
import type { OpenidRecord } from '../../store/openid-record.ts';
import type { Stores } from '../../store/stores.ts';
import { planKeys } from './key-rotation.ts';

export interface ProviderCommands {
  /** @param kind bounds go by it. */
  putOpenidRecord(kind: string, key: string, record: OpenidRecord): Promise<void>;
  /** Resolves to false if the record was consumed before: of two who redeem a code at once, one gets true. */
  consumeOpenidRecord(key: string): Promise<boolean>;
  removeOpenidRecord(key: string): Promise<void>;
  /** Makes a successor for a key of this age, and removes keys that have retired. */
  renewOpenidKeys(age: number): Promise<void>;
}

/**
 * Records of a kind. Whoever knows a public client can begin sign-ins, so the oldest give way: with the limit of starts of
 * an address, nobody alone reaches the bound before their own sign-ins expire.
 */
const MAX_RECORDS = 2_000;
const FORGET_AT_ONCE = 100;

export function createProviderCommands(stores: Pick<Stores, 'write'>, clock: Clock): ProviderCommands {
  return {
    putOpenidRecord: (kind, key, record) =>
      stores.write(async ({ openidRecords }) => {
        await openidRecords.forgetExpired(clock(), FORGET_AT_ONCE);
        await openidRecords.put(kind, key, record);
        await openidRecords.keepNewest(kind, MAX_RECORDS);
      }),
    consumeOpenidRecord: (key) => stores.write(({ openidRecords }) => openidRecords.consume(key, clock())),
    removeOpenidRecord: (key) => stores.write(({ openidRecords }) => openidRecords.remove(key)),
    renewOpenidKeys: (age) => renewKeys(stores, age, clock()),
  };
}

/** Several threads may ask at once: the plan is made of what the transaction sees. */
function renewKeys(stores: Pick<Stores, 'write'>, age: number, now: Instant): Promise<void> {
  return stores.write(async (tx) => {
    const { newKeyFrom, retired } = planKeys(await tx.openidKeys.list(), age, now);
    for (const { id } of retired) await tx.openidKeys.remove(id);
    if (newKeyFrom === undefined) return;
    const key = newKey(now, newKeyFrom);
    await tx.openidKeys.add(key);
    await tx.audit({ at: now, actor: 'service', action: 'openid.key.create', target: key.id, detail: {} });
  });
}

function newKey(createdAt: Instant, signsFrom: Instant): OpenidKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { id: randomUUID(), createdAt, signsFrom, jwk: privateKey.export({ format: 'jwk' }) };
}
