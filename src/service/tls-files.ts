// The certificate and the key of the service: reads and judges the files, and takes new ones while the service runs.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type Server } from 'node:tls';
import { secureContext, type TlsIdentity } from '../api/http/transport.ts';
import type { TlsConfig } from '../config.ts';
import { DAY, type Instant } from '../domain/instant.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { ConfigError } from '../variables.ts';
import { systemClock } from './stores.ts';

/** What the files hold, and until when it is valid. */
export interface ReadIdentity extends TlsIdentity {
  readonly expiresAt: Instant;
}

/** The files are looked at this often. */
const LOOK_EVERY_MS = 1_000;
/** An operator has this long to renew a certificate after the first warning. */
const WARN_BEFORE = 14 * DAY;

/** @throws ConfigError that names the variable, the file and what is wrong with it. */
export async function readTlsFiles(files: TlsConfig): Promise<ReadIdentity> {
  return judge(files, await readPair(files));
}

/**
 * Replaces the certificate of the server when the files change. Open connections keep theirs. Files with a fault are not
 * taken; a fault is logged when it is still there at the second look, because two files are not replaced at one moment.
 * It ends with the server.
 */
export function followTlsFiles(
  files: TlsConfig,
  first: ReadIdentity,
  server: Server,
  { log, metrics }: { readonly log: Log; readonly metrics: Metrics },
): void {
  let current = first;
  let lastFault = '';
  let isLogged = false;
  metrics.gauge(
    'tls_certificate_expiry_timestamp',
    'End of the validity of the TLS certificate.',
    async () => [{ value: current.expiresAt / 1_000 }],
  );
  warnOfEnd(current, log);
  const look = async () => {
    try {
      const pair = await readPair(files);
      if (pair.cert !== current.cert || pair.key !== current.key) {
        const next = judge(files, pair);
        server.setSecureContext(secureContext(next));
        current = next;
        log.info(
          { expires: new Date(next.expiresAt) },
          'the files of TIS_TLS_CERT and TIS_TLS_KEY are in use',
        );
        warnOfEnd(current, log);
      }
      lastFault = '';
    } catch (error) {
      const fault = messageOf(error);
      isLogged &&= fault === lastFault;
      if (fault === lastFault && !isLogged) {
        isLogged = true;
        log.warn({ fault }, 'the changed TLS files are not taken; those before stay in use');
      }
      lastFault = fault;
    }
  };
  const looks = setInterval(look, LOOK_EVERY_MS).unref();
  server.once('close', () => clearInterval(looks));
}

/** An expired certificate is used all the same: clients refuse it, and a service that ends would help nobody. */
function warnOfEnd({ expiresAt }: ReadIdentity, log: Log): void {
  if (expiresAt > systemClock() + WARN_BEFORE) return;
  const ends = expiresAt < systemClock() ? 'has expired' : 'ends within 14 days';
  log.warn({ expires: new Date(expiresAt) }, `the certificate in TIS_TLS_CERT ${ends}`);
}

async function readPair(files: TlsConfig): Promise<TlsIdentity> {
  const [cert, key] = await Promise.all([
    readPem('TIS_TLS_CERT', files.certificate),
    readPem('TIS_TLS_KEY', files.key),
  ]);
  return { cert, key };
}

async function readPem(variable: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([`${variable}: ${path} cannot be read (${code})`]);
  }
}

function judge(files: TlsConfig, { cert, key }: TlsIdentity): ReadIdentity {
  const certificateFault = (fault: string) =>
    new ConfigError([`TIS_TLS_CERT: ${files.certificate} ${fault}`]);
  const keyFault = (fault: string) => new ConfigError([`TIS_TLS_KEY: ${files.key} ${fault}`]);
  const certificate = parsed(
    () => new X509Certificate(cert),
    () => certificateFault('holds no certificate (PEM)'),
  );
  const privateKey = parsed(
    () => createPrivateKey(key),
    () => keyFault('holds no private key (PEM without a passphrase)'),
  );
  if (!certificate.checkPrivateKey(privateKey))
    throw keyFault(`is not the key of the first certificate in ${files.certificate}`);
  // OpenSSL refuses what is too weak, such as an RSA key with 1,024 bits.
  parsed(
    () => createSecureContext(secureContext({ cert, key })),
    (error) => certificateFault(`cannot be used (${messageOf(error)})`),
  );
  return { cert, key, expiresAt: certificate.validToDate.getTime() };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function parsed<Value>(parse: () => Value, fault: (error: unknown) => ConfigError): Value {
  try {
    return parse();
  } catch (error) {
    throw fault(error);
  }
}
