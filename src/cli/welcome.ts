// One-time links, as commands print them. The token is in the fragment, which browsers send to nobody: it is in no log and no
// referrer.

import type { Config } from '../config.ts';
import { toRfc3339 } from '../domain/instant.ts';
import { type Linked, makeFirstAdministrator } from '../identity/people-commands.ts';
import { newSecretToken } from '../identity/secret-token.ts';
import { openClock } from '../service/clock.ts';
import type { Stores } from '../store/stores.ts';

export interface Welcome extends Linked {
  readonly url: string;
}

/** Makes the first administrator. Undefined for a store with people in it. */
export async function firstWelcome(stores: Stores, siteUrl: string): Promise<Welcome | undefined> {
  const { token, hash } = newSecretToken();
  const linked = await makeFirstAdministrator(stores, hash, (await openClock(stores)).expiry());
  return linked && { ...linked, url: welcomeUrl(siteUrl, token) };
}

export function welcomeLines({ person, link, url }: Welcome): string[] {
  return [
    '',
    `Sign in as ${person.login} with this link. It works once, until ${toRfc3339(link.expiresAt)}:`,
    `  ${url}`,
  ];
}

export function welcomeUrl(siteUrl: string, token: string): string {
  return `${siteUrl.replace(/\/+$/, '')}/app/welcome#${token}`;
}

/** Where people reach the service, as far as the settings of a command tell. */
export function siteUrlOf({ publicUrl, tls, host, port }: Config): string {
  if (publicUrl !== undefined) return publicUrl;
  return `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
