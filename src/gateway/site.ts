// The site of the web application: the origin under which a browser reaches the service.

export interface SiteSettings {
  readonly publicUrl: string | undefined;
  /** Whether the service speaks TLS itself. */
  readonly tls: boolean;
}

export interface Site {
  /** Origins that a page of the service can have. The first one is shown. */
  readonly origins: readonly [string, ...string[]];
  /** Without a port. */
  readonly hostname: string;
  /** False on plain HTTP to this machine, where cookies of a secure origin would be refused. */
  readonly secure: boolean;
}

/** Finds the site of a request by its Host header. Undefined if the header names no host. */
export type SiteOf = (host: string | undefined) => Site | undefined;

const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * With a public URL that is the site. Otherwise the Host header names it: on the network a proxy is taken to add TLS, as
 * nobody should sign in without it.
 */
export function createSiteOf({ publicUrl, tls }: SiteSettings): SiteOf {
  if (publicUrl !== undefined) {
    const { origin, hostname, protocol } = new URL(publicUrl);
    const site: Site = {
      origins: [origin],
      hostname,
      secure: protocol === 'https:' || !LOOPBACK.test(hostname),
    };
    return () => site;
  }
  return (host) => {
    if (host === undefined || !/^[a-z0-9.:[\]-]+$/i.test(host)) return undefined;
    const plain = URL.parse(`http://${host}`);
    const encrypted = URL.parse(`https://${host}`);
    if (plain === null || encrypted === null) return undefined;
    const { hostname } = plain;
    if (!tls && LOOPBACK.test(hostname)) return { origins: [plain.origin], hostname, secure: false };
    return { origins: tls ? [encrypted.origin] : [encrypted.origin, plain.origin], hostname, secure: true };
  };
}
