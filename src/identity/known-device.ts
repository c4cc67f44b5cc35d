// The mark that a browser gets when somebody signs in with it. Attempts from a marked browser count for that browser alone, so
// a stranger who uses up the attempts of a login does not lock its person out.

import { createTokenSealer } from '../domain/sealed-token.ts';

export interface KnownDevices {
  mark(login: string): string;
  /** Whether somebody has signed in with this login in the browser with the mark. */
  knows(mark: string, login: string): boolean;
}

export function createKnownDevices(installationSecret: Buffer): KnownDevices {
  const sealer = createTokenSealer(installationSecret, 'known device');
  return {
    mark: (login) => sealer.seal(Buffer.alloc(0), login),
    knows: (mark, login) => sealer.open(mark, login) !== undefined,
  };
}
