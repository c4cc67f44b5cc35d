// The server side of the web application on a real store, with cheap hashes and a clock that tests move. For tests only.

import type { FastifyInstance } from 'fastify';
import { credentialMissing } from '../../gateway/credential.ts';
import { createMemoryLimiter } from '../../gateway/rate-limit.ts';
import { createSessionCredentials } from '../../gateway/session-credential.ts';
import { createSiteOf } from '../../gateway/site.ts';
import { createPasskeyCommands } from '../../identity/passkey-commands.ts';
import { createPasswordHashing, type PasswordHashing } from '../../identity/password-hash.ts';
import { invitePerson, resetPerson } from '../../identity/people-commands.ts';
import { newSecretToken } from '../../identity/secret-token.ts';
import { createSessionCommands } from '../../identity/session-commands.ts';
import { findSession, idleEnd } from '../../identity/session-life.ts';
import {
  openTemporaryStore,
  type TemporaryStore,
} from '../../store/contract/temporary-store.test-support.ts';
import type { Person } from '../../store/person.ts';
import type { Stores } from '../../store/stores.ts';
import { FIELDS, testServer } from '../rest-server.test-support.ts';
import { registerWeb } from './web.ts';

const START = Date.UTC(2026, 10, 22);
const CHEAP = { cost: 2, blockSize: 1, parallelization: 1 };
const HOST = 'localhost:8080';

export class WebServer {
  readonly stores: Stores;
  /** Hashes that were made or compared. */
  hashes = 0;
  now = START;
  readonly #opened: TemporaryStore;
  readonly #app: FastifyInstance;

  private constructor(opened: TemporaryStore, hashing: PasswordHashing) {
    this.#opened = opened;
    this.stores = opened.stores;
    const clock = () => this.now;
    const { stores } = this;
    const siteOf = createSiteOf({ publicUrl: undefined, tls: false });
    const credentials = createSessionCredentials({
      siteOf,
      clock,
      monotonic: clock,
      find: async (hash) => {
        const found = await findSession(stores.sessions, hash);
        return (
          found && {
            endsAt: idleEnd(found.session),
            caller: {
              credential: 'session',
              id: `person|${found.person.id}`,
              account: found.person.account,
              actor: found.person.login,
              name: found.person.name,
              scopes: new Set(),
              ceiling: found.person.tlpCeiling,
              reliability: 1,
            },
          }
        );
      },
    });
    const counted: PasswordHashing = {
      ...hashing,
      matches: async (...given) => {
        this.hashes += 1;
        return hashing.matches(...given);
      },
    };
    const deps = {
      siteOf,
      stores,
      clock,
      hashing: counted,
      commands: { ...createSessionCommands(stores, clock), ...createPasskeyCommands(stores, clock) },
      createLimiter: (policy: Parameters<typeof createMemoryLimiter>[0]) =>
        createMemoryLimiter(policy, clock),
      admit: async (headers: object, _address: string, method?: string) => {
        const caller = await credentials.authenticate(headers, method);
        if (caller === undefined) throw credentialMissing('rest');
        return { caller, fields: FIELDS };
      },
    };
    this.#app = testServer({ plugins: [(app) => registerWeb(app, deps)] }).app;
  }

  static async start(parameters = CHEAP): Promise<WebServer> {
    return new WebServer(await openTemporaryStore(() => START), createPasswordHashing(parameters));
  }

  /** @returns the person with the token of the invitation. */
  async invite(
    login: string,
    roles = ['analyst'],
  ): Promise<{ readonly person: Person; readonly token: string }> {
    const { token, hash } = newSecretToken();
    const { person } = await invitePerson(this.stores, { login, roles }, 'cli', hash, this.now);
    return { person, token };
  }

  async reset({ id }: Person): Promise<string> {
    const { token, hash } = newSecretToken();
    await resetPerson(this.stores, id, 'cli', hash, this.now);
    return token;
  }

  browser(address = '192.0.2.1'): Browser {
    return new Browser(this.#app, address);
  }

  async stop(): Promise<void> {
    await this.#app.close();
    await this.#opened.dispose();
  }
}

export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly setCookies: readonly string[];
}

/** Keeps cookies, and asks as a page of the service does. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #app: FastifyInstance;
  readonly #address: string;

  constructor(app: FastifyInstance, address: string) {
    this.#app = app;
    this.#address = address;
  }

  get(path: string): Promise<Reply> {
    return this.#ask('GET', path);
  }

  delete(path: string): Promise<Reply> {
    return this.#ask('DELETE', path);
  }

  post(path: string, body: object = {}): Promise<Reply> {
    return this.#ask('POST', path, body);
  }

  async #ask(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Reply> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const {
      statusCode,
      headers,
      body: text,
    } = await this.#app.inject({
      method,
      url: path,
      remoteAddress: this.#address,
      headers: {
        host: HOST,
        'sec-fetch-site': 'same-origin',
        'x-tis-request': '1',
        ...(cookie === '' ? {} : { cookie }),
      },
      ...(body === undefined ? {} : { payload: body }),
    });
    const setCookies = [headers['set-cookie'] ?? []].flat();
    for (const given of setCookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(given) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return { status: statusCode, text, setCookies };
  }
}
