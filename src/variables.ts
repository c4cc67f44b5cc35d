// The kinds of values that environment variables have, and a reader that collects the faults of all of them. It reads the
// variables that it is given: src/config.ts alone reads the environment.

import { parseNeverBlock } from './domain/never-block/never-block.ts';
import { parseAddress } from './domain/observable/address.ts';
import { parseTlp } from './domain/tlp.ts';
import type { TlpMarking } from './domain/vocabulary.ts';
import { canonicalSourceRange } from './gateway/source-ranges.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** All faults of a configuration, one a line. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** A kind of value that a variable can have. */
export interface Kind<Value> {
  /** Completes `"x" is not …`. */
  readonly expected: string;
  /** Undefined if the text is not such a value. */
  readonly parse: (text: string) => Value | undefined;
}

export const TEXT: Kind<string> = { expected: 'a text', parse: (text) => text };
export const HOST: Kind<string> = {
  expected: 'a host name or an address',
  parse: (text) => (/[\s/@]/.test(text) ? undefined : text),
};
const SCHEME = /^[a-z][a-z0-9+.-]+:\/\//i;
/** Files are not fetched. */
export const PATH: Kind<string> = {
  expected: 'a path',
  parse: (text) => (SCHEME.test(text) ? undefined : text),
};
export const PORT: Kind<number> = { ...integer(0, 65_535), expected: 'a port (0 to 65535)' };
export const ADMIN_PORT: Kind<number | 'off'> = {
  expected: 'a port (0 to 65535) or `off`',
  parse: (text) => (text.toLowerCase() === 'off' ? 'off' : PORT.parse(text)),
};
export const HTTP_URL: Kind<string> = {
  expected: 'an http or https URL',
  parse: (text) => (/^https?:$/.test(URL.parse(text)?.protocol ?? '') ? text : undefined),
};
/** An issuer is compared as it is written. Plain http is for one on this machine. */
export const ISSUER: Kind<string> = {
  expected: 'an https URL without query and fragment (http on loopback)',
  parse: (text) => {
    const url = URL.parse(text);
    if (url === null || /[?#]/.test(text)) return undefined;
    const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
    return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback) ? text : undefined;
  },
};
/** Anybody on the path of a plain http request could add a key. */
export const PATH_OR_HTTPS_URL: Kind<string> = {
  expected: 'a path or an https URL',
  parse: (text) => {
    if (!SCHEME.test(text) && !/^https?:/i.test(text)) return text;
    return text.startsWith('https://') && URL.canParse(text) ? text : undefined;
  },
};
/** A name without a slash is a domain. */
export const NEVER_BLOCK: Kind<string> = {
  expected: 'an address, a CIDR range, a domain or a path with a slash',
  parse: (text) =>
    parseNeverBlock(text) !== undefined ||
    (text.includes('/') && !/^[0-9.:a-f]+\/[0-9]*$/i.test(text) && !SCHEME.test(text))
      ? text
      : undefined,
};
export const TLP: Kind<TlpMarking> = {
  expected: 'a TLP 2.0 marking (CLEAR, GREEN, AMBER, AMBER_STRICT, RED)',
  parse: parseTlp,
};
export const SOURCE_RANGE: Kind<string> = {
  expected: 'an address or a CIDR range',
  parse: canonicalSourceRange,
};
/** An origin as browsers write it. A wildcard is not allowed: the operator names every origin. */
export const ORIGIN: Kind<string> = {
  expected: 'an origin such as https://soc.example.org',
  parse: (text) => {
    const url = URL.canParse(text) && !text.includes('*') ? new URL(text) : undefined;
    return url !== undefined && /^https?:$/.test(url.protocol) && url.origin === text ? text : undefined;
  },
};
/** `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or `[2001:db8::53]:5353` */
export const RESOLVER: Kind<string> = {
  expected: '`on`, `off` or the address of a resolver',
  parse: (text) => {
    const [, ipv6, ipv4, port = '53'] = /^(?:\[(.+)\]|([0-9.]+))(?::([0-9]{1,5}))?$/.exec(text) ?? [];
    const isValid =
      parseAddress(ipv6 ?? ipv4 ?? text) !== undefined && Number(port) >= 1 && Number(port) <= 65_535;
    return isValid ? text : undefined;
  },
};

export function integer(min: number, max: number): Kind<number> {
  return {
    expected: `a whole number from ${min} to ${max}`,
    parse: (text) => {
      const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
  };
}

export const GIBIBYTE = 1_024 ** 3;
const BYTE_UNITS: Readonly<Record<string, number>> = { '': 1, KiB: 1_024, MiB: 1_024 ** 2, GiB: GIBIBYTE };
export const BYTES: Kind<number> = {
  expected: 'a number of bytes such as 512MiB or 2GiB',
  parse: (text) => {
    const [, digits, unit = ''] = /^(\d{1,15}) ?([KMG]iB)?$/.exec(text) ?? [];
    const bytes = Number(digits) * (BYTE_UNITS[unit] ?? Number.NaN);
    return bytes >= 1_024 && bytes <= Number.MAX_SAFE_INTEGER ? bytes : undefined;
  },
};

export function oneOf<Choice extends string>(...choices: readonly Choice[]): Kind<Choice> {
  return {
    expected: `one of ${choices.join(', ')}`,
    parse: (text) => choices.find((choice) => choice === text.toLowerCase()),
  };
}

/** A password in an address would reach errors, logs and the parties that are called. */
function namesUser(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && `${url.username}${url.password}` !== '';
}

/** A value with an `@` may be an address with a password, as far as it can be told. No message repeats it. */
function quoted(text: string): string {
  return text.includes('@') ? 'the value' : JSON.stringify(text);
}

/** Reads variables and collects their faults. */
export class Variables {
  readonly faults: string[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Whether the variable has a text that is not blank. */
  isSet(name: string): boolean {
    return this.#text(name) !== '';
  }

  /** Undefined if the variable is not set or has a fault. */
  one<Value>(name: string, kind: Kind<Value>): Value | undefined {
    return this.isSet(name) ? this.#parse(name, kind, this.#text(name)) : undefined;
  }

  /** The items of a list that is separated by commas. Each bad item is a fault. */
  list<Value>(name: string, kind: Kind<Value>): Value[] {
    const items = this.#text(name)
      .split(',')
      .map((item) => item.trim());
    return items.flatMap((item) => (item === '' ? [] : (this.#parse(name, kind, item) ?? [])));
  }

  #text(name: string): string {
    return this.#environment[name]?.trim() ?? '';
  }

  #parse<Value>(name: string, { expected, parse }: Kind<Value>, text: string): Value | undefined {
    if (namesUser(text)) {
      this.faults.push(`${name}: an address must not contain a user or a password; remove them`);
      return undefined;
    }
    const value = parse(text);
    if (value === undefined) this.faults.push(`${name}: ${quoted(text)} is not ${expected}`);
    return value;
  }
}
