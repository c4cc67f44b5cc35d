// Passkeys (WebAuthn): what a browser is asked, and whether its answer is good. The library is loaded with the first question.

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Clock } from '../domain/instant.ts';
import type { Passkey } from '../store/passkey.ts';
import type { Person } from '../store/person.ts';
import { createChallenges } from './challenges.ts';
import { passkeyRefused } from './passkey-refusal.ts';

/** The site for which passkeys are made. */
export interface RelyingParty {
  /** A host name. Addresses have no passkeys. */
  readonly id: string;
  readonly origins: readonly string[];
}

/** What a passkey has proved. */
export interface Proof {
  readonly passkeyId: string;
  readonly counter: number;
  readonly challenge: string;
}

export type NewPasskey = Omit<Passkey, 'personId' | 'name' | 'createdAt'>;

export interface Passkeys {
  /** Options of `navigator.credentials.create`. */
  registrationOptions(party: RelyingParty, person: Person, existing: readonly Passkey[]): Promise<object>;
  /** Rejects with ServiceError `unauthenticated` for anything but a good answer to these options. */
  register(
    party: RelyingParty,
    person: Person,
    answer: unknown,
  ): Promise<{ readonly passkey: NewPasskey; readonly challenge: string }>;
  /** Options of `navigator.credentials.get`, for whoever it is. */
  signInOptions(party: RelyingParty): Promise<object>;
  /** Rejects with ServiceError `unauthenticated` for anything but a good answer of a known passkey. */
  signIn(
    party: RelyingParty,
    answer: unknown,
    find: (id: string) => Promise<Passkey | undefined>,
  ): Promise<Proof & Pick<Passkey, 'personId'>>;
}

const SITE_NAME = 'Threat Indicator Service';
const SIGN_IN = 'sign in';
/** Ed25519, ES256 and RS256 (IANA COSE Algorithms). Every authenticator has one of them. */
const ALGORITHMS = [-8, -7, -257];

export function createPasskeys(installationSecret: Buffer, clock: Clock): Passkeys {
  const challenges = createChallenges(installationSecret, clock);
  const registrationOf = ({ id }: Person) => `register ${id}`;
  /** Keeps the challenge of an answer that passes. */
  const expecting = (purpose: string) => {
    const seen = { challenge: '' };
    const expectedChallenge = (challenge: string): boolean => {
      seen.challenge = challenge;
      return challenges.isValid(challenge, purpose);
    };
    return { seen, expectedChallenge };
  };
  return {
    registrationOptions: async (party, person, existing) => {
      const { generateRegistrationOptions } = await loadLibrary();
      return generateRegistrationOptions({
        rpName: SITE_NAME,
        rpID: party.id,
        userName: person.login,
        userDisplayName: person.name,
        userID: Uint8Array.from(Buffer.from(person.id)),
        challenge: challenges.make(registrationOf(person)),
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: existing.map(({ id, transports }) => ({ id, transports: [...transports] })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
    },
    register: async (party, person, answer) => {
      const { verifyRegistrationResponse } = await loadLibrary();
      const { seen, expectedChallenge } = expecting(registrationOf(person));
      return refusing(async () => {
        const response = await withoutCertificates(answer);
        const { registrationInfo } = await verifyRegistrationResponse({
          response,
          expectedChallenge,
          expectedOrigin: [...party.origins],
          expectedRPID: party.id,
          requireUserVerification: true,
          supportedAlgorithmIDs: ALGORITHMS,
        });
        if (registrationInfo === undefined) throw new Error('the answer is not verified');
        const { credential, credentialBackedUp } = registrationInfo;
        return {
          passkey: {
            id: credential.id,
            publicKey: Buffer.from(credential.publicKey).toString('base64url'),
            counter: credential.counter,
            transports: transportsOf(credential.transports),
            synced: credentialBackedUp,
          },
          challenge: seen.challenge,
        };
      });
    },
    signInOptions: async (party) => {
      const { generateAuthenticationOptions } = await loadLibrary();
      const challenge = challenges.make(SIGN_IN);
      return generateAuthenticationOptions({ rpID: party.id, challenge, userVerification: 'required' });
    },
    signIn: async (party, answer, find) => {
      const { verifyAuthenticationResponse } = await loadLibrary();
      const { seen, expectedChallenge } = expecting(SIGN_IN);
      return refusing(async () => {
        const response = answer as AuthenticationResponseJSON;
        const passkey = await find(String(response.id));
        if (passkey === undefined) throw new Error('the passkey is not known');
        const { userHandle } = response.response;
        if (userHandle !== undefined && userHandle !== Buffer.from(passkey.personId).toString('base64url'))
          throw new Error('the passkey is of another person');
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response,
          expectedChallenge,
          expectedOrigin: [...party.origins],
          expectedRPID: party.id,
          requireUserVerification: true,
          credential: {
            id: passkey.id,
            publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
            counter: passkey.counter,
          },
        });
        if (!verified) throw new Error('the answer is not verified');
        const { newCounter } = authenticationInfo;
        const { id, personId } = passkey;
        return { passkeyId: id, personId, counter: newCounter, challenge: seen.challenge };
      });
    },
  };
}

async function loadLibrary() {
  return import('@simplewebauthn/server');
}

/** The answer comes from a stranger, so whatever the library makes of it is a refusal. */
async function refusing<Result>(judge: () => Promise<Result>): Promise<Result> {
  try {
    return await judge();
  } catch (error) {
    throw passkeyRefused(error);
  }
}

/**
 * The answer, if it has no certificates: none were asked for, and the library would fetch what a certificate names.
 * Rejects otherwise.
 */
async function withoutCertificates(answer: unknown): Promise<RegistrationResponseJSON> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const response = answer as RegistrationResponseJSON;
  const bytes = Buffer.from(String(response.response.attestationObject), 'base64url');
  const attestation = decodeAttestationObject(Uint8Array.from(bytes));
  const format = attestation.get('fmt');
  const isPlain =
    format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
  if (isPlain) return response;
  throw new Error('the answer has certificates');
}

const MOST_TRANSPORTS = 8;

function transportsOf(given: unknown): readonly string[] {
  const names = Array.isArray(given) ? given : [];
  return names
    .filter((name) => typeof name === 'string' && /^[a-z-]{1,20}$/.test(name))
    .slice(0, MOST_TRANSPORTS);
}
