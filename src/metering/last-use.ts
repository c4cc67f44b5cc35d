// The last use of each key, so that unused keys can be found and revoked. It is exact to a minute: a key in constant use causes
// one write a minute.

import { type Clock, MINUTE } from '../domain/instant.ts';

/** Records that a credential was used. It never waits and never fails, because it serves display and not billing. */
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
    // After a failed write, the next use in a later minute is written.
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
