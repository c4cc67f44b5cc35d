// Self-signed certificates, made when a test runs (RFC 5280 §4.1). Node can read and use certificates but not make them.

import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  /** PEM. */
  readonly key: string;
}

export interface CertificateOptions {
  /** Default: in a year. */
  readonly expiresAt?: Date;
  /** Default: a new one on the curve P-256. */
  readonly privateKey?: KeyObject;
}

const TAG = { integer: 0x02, bits: 0x03, octets: 0x04, utf8: 0x0c, time: 0x18, sequence: 0x30, set: 0x31 };
const ECDSA_WITH_SHA256 = '06082a8648ce3d040302';
const COMMON_NAME = '0603550403';
const SUBJECT_ALTERNATIVE_NAME = '0603551d11';

/** For the address 127.0.0.1 and the name `localhost`. */
export function makeCertificate({
  expiresAt = new Date(Date.now() + 365 * 86_400_000),
  privateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
}: CertificateOptions = {}): Certificate {
  const algorithm = der(TAG.sequence, hex(ECDSA_WITH_SHA256));
  const name = der(
    TAG.sequence,
    der(TAG.set, der(TAG.sequence, hex(COMMON_NAME), der(TAG.utf8, Buffer.from('tis test')))),
  );
  const names = der(
    TAG.sequence,
    der(0x82, Buffer.from('localhost')),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const extension = der(TAG.sequence, hex(SUBJECT_ALTERNATIVE_NAME), der(TAG.octets, names));
  const content = der(
    TAG.sequence,
    der(0xa0, der(TAG.integer, Buffer.from([2]))),
    der(TAG.integer, Buffer.from([1])),
    algorithm,
    name,
    der(TAG.sequence, time(new Date(expiresAt.getTime() - 400 * 86_400_000)), time(expiresAt)),
    name,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    der(0xa3, der(TAG.sequence, extension)),
  );
  const signature = sign('sha256', content, privateKey);
  const bytes = der(TAG.sequence, content, algorithm, der(TAG.bits, Buffer.from([0]), signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** One value: its tag, its length, its content (X.690 §8.1). */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}

/** Such as `20261122103000Z`. */
function time(date: Date): Buffer {
  return der(TAG.time, Buffer.from(`${date.toISOString().replace(/[-:T]|\..*$/g, '')}Z`));
}
