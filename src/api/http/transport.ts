// TLS of the public port: the options of Node's HTTPS server.

/** What the service proves itself with, as PEM. */
export interface TlsIdentity {
  /** The certificate of the service, then those that lead to a root. */
  readonly cert: string;
  readonly key: string;
}

/** A client that has not finished its handshake by then is cut off. It is shorter than the time that a stop may take. */
const HANDSHAKE_TIMEOUT_MS = 5_000;

/** Options that decide what a connection is encrypted with. They can be replaced while the server listens. */
export function secureContext({ cert, key }: TlsIdentity) {
  return { cert, key, minVersion: 'TLSv1.2' as const };
}

/** The member of Fastify's options that selects the server: plain HTTP without an identity. */
export function transport(
  http: object,
  identity: TlsIdentity | undefined,
  handshakeTimeout?: number,
): object {
  if (identity === undefined) return { http };
  return {
    https: {
      ...http,
      ...secureContext(identity),
      handshakeTimeout: handshakeTimeout ?? HANDSHAKE_TIMEOUT_MS,
      ALPNProtocols: ['http/1.1'],
    },
  };
}
