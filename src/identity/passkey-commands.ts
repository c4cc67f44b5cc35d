// The commands on passkeys: add, remove, sign in with one.

import { ServiceError } from '../domain/errors.ts';
import type { Clock } from '../domain/instant.ts';
import type { Passkey } from '../store/passkey.ts';
import type { Session } from '../store/session.ts';
import type { Stores } from '../store/stores.ts';
import { spendChallenge } from './challenges.ts';
import { passkeyRefused } from './passkey-refusal.ts';
import type { NewPasskey, Proof } from './passkeys.ts';
import { accessEntry } from './person-audit.ts';
import { type Opening, open, personWhoMay } from './session-commands.ts';

/** What a running service carries out for people. Arguments and answers are plain values. */
export interface PasskeyCommands {
  /** Rejects with `failed_precondition` for a person who has MAX_PASSKEYS and with `unauthenticated` for a known passkey. */
  addPasskey(personId: string, passkey: NewPasskey, name: string, challenge: string): Promise<Passkey>;
  /** Signs in. Rejects with `unauthenticated` for a challenge that was answered before, and for a copied passkey. */
  openSessionByPasskey(proof: Proof, opening: Opening): Promise<Session>;
  /** @returns whether the person had such a passkey. */
  removePasskey(personId: string, id: string): Promise<boolean>;
}

const MAX_PASSKEYS = 20;

export function createPasskeyCommands(stores: Pick<Stores, 'write'>, clock: Clock): PasskeyCommands {
  return {
    addPasskey: (personId, made, name, challenge) =>
      stores.write(async (tx) => {
        const now = clock();
        await spendChallenge(tx, challenge, now);
        const person = await personWhoMay(tx, personId);
        if ((await tx.passkeys.byId(made.id)) !== undefined) throw passkeyRefused('a passkey that is known');
        if ((await tx.passkeys.ofPerson(personId)).length >= MAX_PASSKEYS) throw tooMany();
        const passkey: Passkey = { ...made, personId, name, createdAt: now };
        await tx.passkeys.add(passkey);
        await tx.audit(accessEntry('passkey.add', person, passkey.id, now, { name }));
        return passkey;
      }),
    openSessionByPasskey: ({ passkeyId, counter, challenge }, opening) =>
      stores.write(async (tx) => {
        const now = clock();
        await spendChallenge(tx, challenge, now);
        const passkey = await tx.passkeys.byId(passkeyId);
        if (passkey === undefined) throw passkeyRefused('the passkey has just been removed');
        // Another answer may have been accepted since this one was judged.
        if (counter !== 0 && counter <= passkey.counter) throw passkeyRefused('the passkey has been copied');
        await tx.passkeys.used(passkeyId, counter, now);
        return open(tx, await personWhoMay(tx, passkey.personId), opening, now);
      }),
    removePasskey: (personId, id) =>
      stores.write(async (tx) => {
        const removed = await tx.passkeys.remove(personId, id);
        const person = removed ? await tx.people.byId(personId) : undefined;
        if (person !== undefined) await tx.audit(accessEntry('passkey.remove', person, id, clock()));
        return removed;
      }),
  };
}

function tooMany(): ServiceError {
  return new ServiceError('failed_precondition', `you have ${MAX_PASSKEYS} passkeys; remove one first`, {
    reason: 'TOO_MANY_PASSKEYS',
    metadata: { limit: String(MAX_PASSKEYS) },
  });
}
