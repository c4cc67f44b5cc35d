// Another application asks who somebody is: what it asks for, and the answer of the person.

import { call } from './client.ts';
import type { Scope } from './session.ts';

export interface Interaction {
  readonly client: { readonly id: string; readonly name: string };
  /** Host to which the browser returns. */
  readonly returnsTo: string;
  readonly scopes: readonly Scope[];
  /** What it gets of the person who is signed in. */
  readonly granted?: readonly Scope[];
  readonly expireTime: string;
}

export function getInteraction(id: string): Promise<Interaction> {
  return call<Interaction>(pathOf(id));
}

/** @returns where the browser goes on. */
export async function answerInteraction(id: string, agree: boolean): Promise<string> {
  const path = agree ? pathOf(id) : `${pathOf(id)}/refuse`;
  return (await call<{ readonly continueTo: string }>(path, { body: {} })).continueTo;
}

function pathOf(id: string): string {
  return `/auth/interaction/${encodeURIComponent(id)}`;
}
