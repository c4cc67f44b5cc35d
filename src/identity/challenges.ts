// Challenges of WebAuthn. A challenge is a sealed end of its life, so that those who only ask for one fill no store. It works
// once: whoever answers it spends it.

import { type Clock, type Instant, MINUTE } from '../domain/instant.ts';
import { createTokenSealer } from '../domain/sealed-token.ts';
import type { WriteTransaction } from '../store/stores.ts';
import { passkeyRefused } from './passkey-refusal.ts';

export interface Challenges {
  /** @param purpose it answers no other one. */
  make(purpose: string): Uint8Array<ArrayBuffer>;
  /** @param text the challenge in base64url. */
  isValid(text: string, purpose: string): boolean;
}

const LIFETIME = 5 * MINUTE;

export function createChallenges(installationSecret: Buffer, clock: Clock): Challenges {
  const sealer = createTokenSealer(installationSecret, 'passkey challenge');
  return {
    make: (purpose) => {
      const end = Buffer.alloc(8);
      end.writeDoubleBE(clock() + LIFETIME);
      return Uint8Array.from(Buffer.from(sealer.seal(end, purpose), 'base64url'));
    },
    isValid: (text, purpose) => {
      const end = sealer.open(text, purpose);
      return end !== undefined && end.length === 8 && end.readDoubleBE() > clock();
    },
  };
}

/**
 * Rejects with ServiceError `unauthenticated` for a challenge that was spent before. It is remembered with the keys of
 * requests, for longer than it lives.
 */
export async function spendChallenge(tx: WriteTransaction, challenge: string, now: Instant): Promise<void> {
  const key = `passkey ${challenge}`;
  if ((await tx.recallRequest(key)) !== undefined)
    throw passkeyRefused('a challenge that was answered before');
  await tx.rememberRequest(key, { fingerprint: '', answer: '' }, now);
}
