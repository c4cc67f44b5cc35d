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
  const optionsJSON = await call<PublicKeyCredentialRequestOptionsJSON>('/auth/passkey/options', {
    body: {},
    anonymous: true,
  });
  const response = await startAuthentication({ optionsJSON });
  await call('/auth/passkey', { body: { response }, anonymous: true });
  return getSession();
}

export async function addPasskey(name: string): Promise<void> {
  const optionsJSON = await call<PublicKeyCredentialCreationOptionsJSON>('/auth/passkeys/options', {
    body: {},
  });
  const response = await startRegistration({ optionsJSON });
  await call('/auth/passkeys', { body: { name, response } });
}
