// Signing in and out, and the person who is signed in.

import { call } from './client.ts';
import type { TlpMarking } from './contract.ts';

export type Role = 'reader' | 'analyst' | 'key-manager' | 'administrator';
export type Scope =
  | 'indicators:read'
  | 'indicators:verify'
  | 'events:write'
  | 'keys:manage'
  | 'usage:read'
  | 'feed:write'
  | 'admin';

export interface SignedOut {
  readonly signedIn: false;
  /** Nobody has an account yet. */
  readonly firstStart: boolean;
  readonly password: boolean;
  readonly passkeys: boolean;
  /** An identity provider of the organisation. */
  readonly external?: { readonly name: string; readonly startUrl: string };
}

export interface SignedIn {
  readonly signedIn: true;
  readonly person: { readonly id: string; readonly login: string; readonly name: string };
  readonly account: string;
  readonly roles: readonly Role[];
  readonly scopes: readonly Scope[];
  readonly tlpCeiling: TlpMarking;
  readonly expireTime: string;
  readonly idleExpireTime: string;
  readonly method: 'password' | 'passkey' | 'link' | 'openid';
}

export type Session = SignedOut | SignedIn;

export function getSession(): Promise<Session> {
  return call<Session>('/auth/session', { anonymous: true });
}

/** Whether the person may do what needs this scope. */
export function mayUse({ scopes }: SignedIn, scope: Scope): boolean {
  return scopes.includes('admin') || scopes.includes(scope);
}

export async function signInWithPassword(login: string, password: string): Promise<Session> {
  await call<unknown>('/auth/password', { body: { login, password }, anonymous: true });
  return getSession();
}

export function signOut(): Promise<void> {
  return call<void>('/auth/sign-out', { method: 'POST', anonymous: true });
}

/**
 * Redeems the token of a one-time link.
 * @param password for an invitation or a reset, which answer `password` without it.
 */
export async function redeemLink(token: string, password?: string): Promise<Session | 'password'> {
  const body = password === undefined ? { token } : { token, password };
  const answer = await call<{ readonly needs?: string }>('/auth/link', { body, anonymous: true });
  return answer?.needs === 'password' ? 'password' : getSession();
}
