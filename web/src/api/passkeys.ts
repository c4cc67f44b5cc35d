// Passkeys: signing in with one, and adding one. The library is loaded with this file only.

import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { call } from './client.ts';
import { getSession, type Session } from './session.ts';

export async function signInWithPasskey(): Promise<Session> {
  const { options } = await call<{ readonly options: PublicKeyCredentialRequestOptionsJSON }>(
    '/auth/passkey/options',
    { method: 'POST', anonymous: true },
  );
  const response = await startAuthentication({ optionsJSON: options });
  await call('/auth/passkey', { body: { response }, anonymous: true });
  return getSession();
}

export async function addPasskey(name: string): Promise<void> {
  const { options } = await call<{ readonly options: PublicKeyCredentialCreationOptionsJSON }>(
    '/auth/passkeys/options',
    { method: 'POST' },
  );
  const response = await startRegistration({ optionsJSON: options });
  await call('/auth/passkeys', { body: { name, response } });
}
