// The records of the library in the store: kept by a hash of their id, with an end, bounded in size and number.

import { hash } from 'node:crypto';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { type Clock, SECOND } from '../../domain/instant.ts';
import type { OpenidRecordReader } from '../../store/openid-record.ts';
import type { ProviderCommands } from './provider-commands.ts';

export interface RecordParts {
  readonly records: OpenidRecordReader;
  readonly commands: ProviderCommands;
  readonly clock: Clock;
}

/** Characters of a record. What a client sends with a request is in it. */
const MAX_PAYLOAD = 8_192;

/** @param kind the library's name for what is kept, such as `AuthorizationCode`. */
export function createRecordAdapter(kind: string, { records, commands, clock }: RecordParts): Adapter {
  const keyOf = (id: string): string => hash('sha256', `${kind}:${id}`, 'hex');
  return {
    upsert: async (id, { jti: _, ...payload }, expiresIn) => {
      const text = JSON.stringify(payload);
      if (text.length > MAX_PAYLOAD) throw new errors.InvalidRequest('the request is too long');
      if (expiresIn === undefined) throw new Error(`a record of the kind ${kind} has no end`);
      await commands.putOpenidRecord(kind, keyOf(id), {
        payload: text,
        expiresAt: clock() + expiresIn * SECOND,
      });
    },
    find: async (id) => {
      const record = await records.byKey(keyOf(id));
      if (record === undefined || record.expiresAt <= clock()) return undefined;
      const payload = { ...(JSON.parse(record.payload) as AdapterPayload), jti: id };
      if (record.consumedAt !== undefined) payload.consumed = Math.floor(record.consumedAt / SECOND);
      return payload;
    },
    consume: async (id) => {
      if (!(await commands.consumeOpenidRecord(keyOf(id)))) throw new errors.InvalidGrant('already redeemed');
    },
    destroy: (id) => commands.removeOpenidRecord(keyOf(id)),
    // Only codes belong to a grant, and a code is redeemed once. Access tokens are not records.
    revokeByGrantId: async () => undefined,
    // A sign-in is never bound to an earlier session, and there is no device flow.
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  };
}
