// The signatures of a secret scanner: ECDSA over P-256 and SHA-256, as GitHub's partner programme signs its reports.
//
// The public keys come from the configured file or address only. They are read for the first report and again when a report
// names an unknown key, at most once a minute, so a rotation needs no restart.

import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { ServiceError } from '../domain/errors.ts';
import { type Clock, type Instant, MINUTE } from '../domain/instant.ts';
import { fetchText } from './fetch-text.ts';

const COOL_DOWN = MINUTE;
const CURVE = 'prime256v1';

const KEY_LIST = z.object({
  public_keys: z.array(z.object({ key_identifier: z.string(), key: z.string() })).min(1),
});

export interface ScannerKeysOptions {
  /** The text of the key list: JSON as of GitHub's `/meta/public_keys/secret_scanning`. */
  readonly load: () => Promise<string>;
  readonly clock: Clock;
}

/**
 * Whether the scanner signed the body.
 * Rejects with ServiceError `unavailable` when the keys cannot be read.
 * @param identifier of the key, as the scanner names it.
 * @param signature DER in base64.
 */
export type VerifyReport = (identifier: string, signature: string, body: Uint8Array) => Promise<boolean>;

export function createScannerKeys({ load, clock }: ScannerKeysOptions): VerifyReport {
  let keys: ReadonlyMap<string, KeyObject> | undefined;
  let triedAt: Instant | undefined;
  let loading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    try {
      keys = parseKeys(await load());
    } finally {
      triedAt = clock();
      loading = undefined;
    }
  };

  /** Does nothing within COOL_DOWN after the last attempt, unless the clock stepped back. */
  const refresh = (): Promise<void> => {
    const now = clock();
    if (loading === undefined && triedAt !== undefined && now >= triedAt && now - triedAt < COOL_DOWN) {
      return Promise.resolve();
    }
    loading ??= read();
    return loading;
  };

  return async (identifier, signature, body) => {
    if (keys?.has(identifier) !== true) {
      let cause: unknown;
      await refresh().catch((error: unknown) => {
        cause = error;
      });
      if (keys === undefined) throw unavailable(cause);
    }
    const key = keys?.get(identifier);
    return key !== undefined && verify('sha256', body, key, Buffer.from(signature, 'base64'));
  };
}

/** Reads the list from a file path or an https address. */
export function scannerKeySource(source: string): () => Promise<string> {
  if (!source.startsWith('https:')) return () => readFile(source, 'utf8');
  return () => fetchText(source);
}

/** @throws if the text is not a list of keys on P-256. An empty list is a fault: it would refuse every report. */
function parseKeys(text: string): ReadonlyMap<string, KeyObject> {
  const { public_keys: listed } = KEY_LIST.parse(JSON.parse(text));
  return new Map(
    listed.map(({ key_identifier: identifier, key: pem }) => {
      const key = createPublicKey(pem);
      if (key.asymmetricKeyDetails?.namedCurve !== CURVE)
        throw new Error(`the key ${identifier} is not on the curve P-256`);
      return [identifier, key];
    }),
  );
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError('unavailable', 'reports cannot be checked at the moment', {
    reason: 'SCANNER_KEYS_UNAVAILABLE',
    retryAfterMs: COOL_DOWN,
    cause,
  });
}
