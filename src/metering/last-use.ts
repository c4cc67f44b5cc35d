// When keys were last used, so that those nobody uses can be found and revoked. To a minute only: a key in constant use
// costs one write a minute.

import { type Clock, MINUTE } from '../domain/instant.ts';

/** Notes that a credential was used. Never waits and never fails: it is for display, not for billing. */
export type NoteUse = (credential: string) => void;

export function createLastUse(
  write: (credentials: readonly string[], at: number) => Promise<void>,
  clock: Clock,
): NoteUse {
  let minute = Number.NaN;
  const noted = new Set<string>();
  let waiting: string[] = [];

  const flush = (): void => {
    const credentials = waiting;
    waiting = [];
    // What is lost here is noted again in a minute.
    write(credentials, clock()).catch(() => undefined);
  };

  return (credential) => {
    const current = Math.floor(clock() / MINUTE);
    if (current !== minute) {
      minute = current;
      noted.clear();
    }
    if (noted.has(credential)) return;
    noted.add(credential);
    if (waiting.push(credential) === 1) setImmediate(flush);
  };
}
