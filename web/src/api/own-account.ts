// What people manage of themselves: password, passkeys, sessions.

import { call } from './client.ts';
import type { SignedIn } from './session.ts';

export interface OwnPasskey {
  readonly id: string;
  readonly name: string;
  /** Whether other devices of the person have it too. */
  readonly synced: boolean;
  readonly createTime: string;
  readonly lastUseTime?: string;
}

export interface OwnSession {
  readonly id: string;
  readonly current: boolean;
  readonly method: SignedIn['method'];
  readonly createTime: string;
  readonly lastUseTime: string;
  readonly expireTime: string;
  /** The network, such as `198.51.100.0/24`. */
  readonly address: string;
  /** As the browser describes itself. */
  readonly agent: string;
}

/** @param currentPassword empty for a person who has none yet. */
export function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  const body = currentPassword === '' ? { newPassword } : { currentPassword, newPassword };
  return call<void>('/auth/change-password', { body });
}

export async function listPasskeys(): Promise<readonly OwnPasskey[]> {
  return (await call<{ readonly passkeys: readonly OwnPasskey[] }>('/auth/passkeys')).passkeys;
}

export function removePasskey(id: string): Promise<void> {
  return call<void>(`/auth/passkeys/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

export async function listSessions(): Promise<readonly OwnSession[]> {
  return (await call<{ readonly sessions: readonly OwnSession[] }>('/auth/sessions')).sessions;
}

export function endSession(id: string): Promise<void> {
  return call<void>(`/auth/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

export function signOutEverywhere(): Promise<void> {
  return call<void>('/auth/sign-out-everywhere', { method: 'POST' });
}
