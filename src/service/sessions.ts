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

export interface Sessions {
  readonly credentials: SessionCredentials;
  /**
   * Notes that a person made a request. Nobody waits for it to be stored. An open stream is judged again and again without
   * being a use: a page that was left open shall end.
   */
  readonly noteUse: (caller: Caller) => void;
}

export function createSessions(parts: SessionParts): Sessions {
  const { sessions, commands, clock } = parts;
  /** Those whose last stored use is too old. */
  const stale = new WeakMap<Caller, string>();
  const find = async (hash: string): Promise<KnownSession | undefined> => {
    const found = await findSession(sessions, hash);
    if (found === undefined) return undefined;
    const { session, person } = found;
    const caller = toCaller(person, session.expiresAt);
    if (needsTouch(session, clock())) stale.set(caller, session.id);
    return { caller, endsAt: idleEnd(session) };
  };
  return {
    credentials: createSessionCredentials({ ...parts, find }),
    noteUse: (caller) => {
      const id = stale.get(caller);
      if (id === undefined || !stale.delete(caller)) return;
      // A use that could not be stored is stored after the next read.
      commands.touchSession(id).catch(() => undefined);
    },
  };
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
