// As much of a browser as a sign-in needs: cookies by host and path, and one redirect at a time.

interface Cookie {
  readonly host: string;
  readonly path: string;
  readonly value: string;
}

export interface Landing {
  readonly status: number;
  /** Where the answer sends the browser; empty if it does not. */
  readonly location: string;
  readonly headers: Headers;
  readonly text: string;
}

export class CookieBrowser {
  readonly #cookies = new Map<string, Cookie>();

  /** The Cookie header of a request; empty for none. */
  cookiesFor(url: string): string {
    const { hostname, pathname } = new URL(url);
    return [...this.#cookies]
      .filter(([, { host, path }]) => host === hostname && covers(path, pathname))
      .map(([key, { value }]) => `${key.split(' ')[0]}=${value}`)
      .join('; ');
  }

  /** Navigates, and follows no redirect. */
  async visit(url: string, init: RequestInit = {}): Promise<Landing> {
    const cookie = this.cookiesFor(url);
    const headers = { accept: 'text/html', ...(cookie === '' ? {} : { cookie }), ...init.headers };
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const given of answer.headers.getSetCookie()) this.#keep(given, url);
    const location = answer.headers.get('location');
    return {
      status: answer.status,
      location: location === null ? '' : new URL(location, url).href,
      headers: answer.headers,
      text: await answer.text(),
    };
  }

  /** Follows redirects until one leads to an address that begins with `prefix`, which is not visited. */
  async travel(url: string, prefix: string): Promise<string> {
    let at = url;
    for (let steps = 0; steps < 10; steps++) {
      const { location, status, text } = await this.visit(at);
      if (location === '') throw new Error(`${at} answered ${status}: ${text.slice(0, 400)}`);
      if (location.startsWith(prefix)) return location;
      at = location;
    }
    throw new Error(`no way from ${url} to ${prefix}`);
  }

  #keep(given: string, url: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(given) ?? [];
    const [, path = '/'] = /; ?path=([^;]*)/i.exec(given) ?? [];
    const key = `${name} ${path}`;
    const isGone = /; ?max-age=0/i.test(given) || value === '';
    if (isGone) this.#cookies.delete(key);
    else this.#cookies.set(key, { host: new URL(url).hostname, path, value });
  }
}

function covers(path: string, pathname: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}
