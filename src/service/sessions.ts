// Wiring of sessions: how the gateway finds the caller of a session cookie.

import type { Clock, Instant } from '../domain/instant.ts';
import { scopesOf } from '../domain/scope.ts';
import type { Caller } from '../gateway/caller.ts';
import {
  createSessionCredentials,
  type KnownSession,
  type SessionCredentials,
} from '../gateway/session-credential.ts';
import type { SiteOf } from '../gateway/site.ts';
import { callerIdOf } from '../identity/granter.ts';
import type { SessionCommands } from '../identity/session-commands.ts';
import { findSession, idleEnd, needsTouch } from '../identity/session-life.ts';
import type { Person } from '../store/person.ts';
import type { SessionReader } from '../store/session.ts';

export interface SessionParts {
  readonly siteOf: SiteOf;
  readonly sessions: Pick<SessionReader, 'byHash'>;
  readonly commands: Pick<SessionCommands, 'touchSession'>;
  readonly clock: Clock;
  readonly monotonic: Clock;
  readonly onExpired: (endsAt: Instant) => Promise<void>;
}

export function sessionCredentials(parts: SessionParts): SessionCredentials {
  const { sessions, commands, clock } = parts;
  const find = async (hash: string): Promise<KnownSession | undefined> => {
    const found = await findSession(sessions, hash);
    if (found === undefined) return undefined;
    const { session, person } = found;
    const endsAt = idleEnd(session);
    const now = clock();
    // Nobody waits for it. A use that could not be stored is stored at the next read.
    if (now < endsAt && needsTouch(session, now)) commands.touchSession(session.id).catch(() => undefined);
    return { caller: toCaller(person, session.expiresAt), endsAt };
  };
  return createSessionCredentials({ ...parts, find });
}

function toCaller(person: Person, expiresAt: Instant): Caller {
  const { login, name, account, roles, tlpCeiling, reliability } = person;
  return {
    credential: 'session',
    id: callerIdOf(person),
    account,
    actor: login,
    name,
    scopes: new Set(scopesOf(roles)),
    ceiling: tlpCeiling,
    reliability,
    expiresAt,
  };
}
