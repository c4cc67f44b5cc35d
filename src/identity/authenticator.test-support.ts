// An authenticator as a browser has it (WebAuthn, ES256), for tests only. It answers what it is asked, also badly.

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

export interface Behaviour {
  readonly origin?: string;
  readonly verifiesUser?: boolean;
  readonly challenge?: string;
  /** The attestation statement, as CBOR. Default: none. */
  readonly attestation?: Buffer;
  readonly counter?: number;
  readonly userHandle?: string;
}

export class Authenticator {
  readonly id = randomBytes(16);
  readonly #key: KeyObject;
  readonly #publicKey: Buffer;
  readonly #party: string;
  readonly #origin: string;
  #counter = 0;

  constructor(party: string, origin: string) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#key = privateKey;
    this.#party = party;
    this.#origin = origin;
    const [kty, alg, curve] = [Buffer.of(0x01, 0x02), Buffer.of(0x03, 0x26), Buffer.of(0x20, 0x01)];
    const coordinates = [
      Buffer.of(0x21),
      bytes(Buffer.from(x, 'base64url')),
      Buffer.of(0x22),
      bytes(Buffer.from(y, 'base64url')),
    ];
    this.#publicKey = Buffer.concat([Buffer.of(0xa5), kty, alg, curve, ...coordinates]);
  }

  /** The answer to `navigator.credentials.create`. */
  create(options: { readonly challenge: string }, behaviour: Behaviour = {}): object {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, this.#publicKey]);
    const authData = Buffer.concat([this.#authData(behaviour, HAS_CREDENTIAL), credential]);
    const statement =
      behaviour.attestation ?? Buffer.concat([text('none'), text('attStmt'), Buffer.of(0xa0)]);
    const attestationObject = Buffer.concat([
      Buffer.of(0xa3),
      text('fmt'),
      statement,
      text('authData'),
      bytes(authData),
    ]);
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', options, behaviour).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal', 'hybrid'],
    });
  }

  /** The answer to `navigator.credentials.get`. */
  get(options: { readonly challenge: string }, behaviour: Behaviour = {}): object {
    this.#counter += 1;
    const clientData = this.#clientData('webauthn.get', options, behaviour);
    const authData = this.#authData({ counter: this.#counter, ...behaviour }, 0);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return this.#answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: sign('sha256', signed, this.#key).toString('base64url'),
      ...(behaviour.userHandle === undefined ? {} : { userHandle: behaviour.userHandle }),
    });
  }

  #answer(response: object): object {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(type: string, { challenge }: { readonly challenge: string }, behaviour: Behaviour): Buffer {
    const origin = behaviour.origin ?? this.#origin;
    return Buffer.from(
      JSON.stringify({ type, challenge: behaviour.challenge ?? challenge, origin, crossOrigin: false }),
    );
  }

  #authData({ verifiesUser = true, counter = 0 }: Behaviour, flags: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const all = flags | USER_PRESENT | (verifiesUser ? USER_VERIFIED : 0);
    return Buffer.concat([createHash('sha256').update(this.#party).digest(), Buffer.of(all), count]);
  }
}

/** A text of less than 24 bytes in CBOR. */
export function text(value: string): Buffer {
  return Buffer.concat([Buffer.of(0x60 + value.length), Buffer.from(value)]);
}

/** Bytes in CBOR, with the shortest length. */
export function bytes(value: Buffer): Buffer {
  const { length } = value;
  const long = length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(length < 24 ? [0x40 + length] : long), value]);
}
