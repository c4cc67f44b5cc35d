// The whole service in this process, on a store of its own: HTTP on a free port, pipeline thread, identity provider.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { type IssuedKey, issueKey } from '../../src/gateway/key-commands.ts';
import type { KeySpec } from '../../src/gateway/key-spec.ts';
import { invitePerson, makeFirstAdministrator } from '../../src/identity/people-commands.ts';
import type { PersonSpec } from '../../src/identity/person-spec.ts';
import { newSecretToken } from '../../src/identity/secret-token.ts';
import { createSessionCommands } from '../../src/identity/session-commands.ts';
import { type Service, startService } from '../../src/service/service.ts';
import type { Person } from '../../src/store/person.ts';
import type { Stores } from '../../src/store/stores.ts';
import type { Environment } from '../../src/variables.ts';
import { RestClient } from './http-client.ts';
import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts';
import { PageClient } from './page-client.ts';
import { until } from './until.ts';

export class RunningService {
  readonly dataDir: string;
  readonly provider: IdentityProvider;
  readonly #environment: Environment;
  #service: Service;
  #people = 0;

  private constructor(
    dataDir: string,
    provider: IdentityProvider,
    environment: Environment,
    service: Service,
  ) {
    this.dataDir = dataDir;
    this.provider = provider;
    this.#environment = environment;
    this.#service = service;
  }

  /** @param settings environment variables in addition to those that every test needs. */
  static async start(settings: Environment = {}): Promise<RunningService> {
    const dataDir = await mkdtemp(join(tmpdir(), 'tis-test-'));
    const provider = await startIdentityProvider();
    const environment = {
      TIS_PORT: '0',
      TIS_DATA_DIR: dataDir,
      // The process holds the test too.
      TIS_MEMORY_BUDGET: '4GiB',
      // The same on every machine; http-threads.test.ts has several.
      TIS_HTTP_THREADS: '1',
      // Only errors appear among the test results.
      TIS_LOG_LEVEL: 'error',
      TIS_JWT_ISSUER: provider.issuer,
      TIS_JWT_AUDIENCE: provider.audience,
      TIS_JWT_JWKS_URL: provider.jwksUrl,
      ...settings,
    };
    try {
      const service = await startService(readConfig(environment));
      return new RunningService(dataDir, provider, environment, service);
    } catch (error) {
      // An open provider would keep the process alive.
      await provider.close();
      await rm(dataDir, { recursive: true });
      throw error;
    }
  }

  get stores(): Stores {
    return this.#service.stores;
  }

  get url(): string {
    return this.#service.url;
  }

  /** Of the admin port. */
  get adminUrl(): string {
    return this.#service.adminUrl ?? '';
  }

  /** Resolves when one of its threads died. */
  get failed(): Promise<Error> {
    return this.#service.failed;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** A new key. By default a client key with the scope `indicators:read`. */
  async key(spec: Partial<KeySpec> = {}): Promise<string> {
    return (await this.issue(spec)).plaintext;
  }

  /** The same, with the record of the key. */
  issue(spec: Partial<KeySpec> = {}): Promise<IssuedKey> {
    return issueKey(this.#service.stores, { name: 'test', ...spec }, 'cli', Date.now());
  }

  /** An identity token of a person with these scopes. */
  token(scopes: string, claims: Readonly<Record<string, unknown>> = {}): string {
    return this.provider.token({ scope: scopes, ...claims });
  }

  as(credential?: string): RestClient {
    return new RestClient(this.url, credential);
  }

  /** The token of the link that a new store prints. */
  async firstLink(): Promise<string> {
    const { token, hash } = newSecretToken();
    assert.ok(await makeFirstAdministrator(this.#service.stores, hash, Date.now()));
    return token;
  }

  /** A new person, signed in. By default an analyst of the default account. */
  async signIn(spec: Partial<PersonSpec> = {}): Promise<PageClient & { readonly person: Person }> {
    const { stores } = this.#service;
    this.#people += 1;
    const whole = { login: `person${this.#people}`, roles: ['analyst'], ...spec };
    const { person } = await invitePerson(stores, whole, 'cli', newSecretToken().hash, Date.now());
    const { token, hash } = newSecretToken();
    const opening = { hash, method: 'link', address: '127.0.0.0/24', agent: 'test' } as const;
    await createSessionCommands(stores, Date.now).openSession(person.id, opening);
    return Object.assign(new PageClient(this.url, `tis-session=${token}`), { person });
  }

  /** Waits until the pipeline has nothing left to do. */
  async settled(): Promise<void> {
    const empty = async () => (await this.#service.stores.jobs.counts()).pending === 0;
    // The queue may hold thousands of indicators.
    await until('an empty queue', empty, 120_000);
  }

  /**
   * Stops, and starts again on the same store; the address changes.
   * @returns whether everything was finished before the end.
   */
  async restart(): Promise<boolean> {
    const finished = await this.#service.stop();
    this.#service = await startService(readConfig(this.#environment));
    return finished;
  }

  async dispose(): Promise<void> {
    await this.#service.stop();
    await this.provider.close();
    await rm(this.dataDir, { recursive: true });
  }
}
