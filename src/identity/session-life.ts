// How long a session lasts, and which one is valid.

import { DAY, HOUR, type Instant, MINUTE } from '../domain/instant.ts';
import type { Session, SessionReader, SignedIn } from '../store/session.ts';

/** A session that nobody used for so long has ended. */
const IDLE_LIMIT = 12 * HOUR;
/** A session ends after this time, however busy it is. */
export const SESSION_LIFETIME = 7 * DAY;
/** A use is stored when the last stored one is this old. */
const TOUCH_AFTER = 5 * MINUTE;

/** When a session ends unless it is used meanwhile. */
export function idleEnd({ lastUsedAt, expiresAt }: Session): Instant {
  return Math.min(lastUsedAt + IDLE_LIMIT, expiresAt);
}

/** Whether it is time to store that the session is in use. */
export function needsTouch({ lastUsedAt }: Session, now: Instant): boolean {
  return now - lastUsedAt >= TOUCH_AFTER;
}

/** The session with a token of this hash. Undefined if there is none, and for a disabled person. The end is not judged. */
export async function findSession(
  sessions: Pick<SessionReader, 'byHash'>,
  hash: string,
): Promise<SignedIn | undefined> {
  const found = await sessions.byHash(hash);
  return found?.person.disabledAt === undefined ? found : undefined;
}
