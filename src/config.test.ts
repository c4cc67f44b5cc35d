// Variables to configuration: defaults, forms and faults.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from './config.ts';
import { ConfigError } from './variables.ts';

/** The faults of an environment. */
function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.faults;
  }
}

describe('rate limits', () => {
  it('are generous by default', () => {
    assert.deepEqual(readConfig({}).rateLimit, { perMinute: 6_000, burst: 2_000 });
  });

  it('are whole numbers of at least one', () => {
    const environment = { TIS_RATE_LIMIT_PER_MINUTE: '60', TIS_RATE_LIMIT_BURST: '5' };
    assert.deepEqual(readConfig(environment).rateLimit, { perMinute: 60, burst: 5 });
    for (const bad of ['0', '-1', '1.5', '1e3', 'none', '99999999999']) {
      assert.equal(faultsOf({ TIS_RATE_LIMIT_PER_MINUTE: bad, TIS_RATE_LIMIT_BURST: bad }).length, 2, bad);
    }
  });
});

describe('limits of volume', () => {
  it('are generous by default', () => {
    assert.deepEqual(readConfig({}).volumeLimit, {
      eventsPerMinute: 1_200_000,
      bytesPerMinute: 2 * 1_024 ** 3,
    });
    assert.equal(readConfig({}).memoryBudget, 1_024 ** 3);
  });

  it('are numbers of events, and bytes with or without a unit', () => {
    const { volumeLimit, memoryBudget } = readConfig({
      TIS_RATE_LIMIT_EVENTS_PER_MINUTE: '5000',
      TIS_RATE_LIMIT_BYTES_PER_MINUTE: '512 MiB',
      TIS_MEMORY_BUDGET: '2147483648',
    });
    assert.deepEqual(volumeLimit, { eventsPerMinute: 5_000, bytesPerMinute: 512 * 1_024 ** 2 });
    assert.equal(memoryBudget, 2 * 1_024 ** 3);
    for (const bad of ['0', '1', '-1GiB', '1.5GiB', '1GB', 'GiB', '9999999999999999'])
      assert.deepEqual(faultsOf({ TIS_MEMORY_BUDGET: bad }), [
        `TIS_MEMORY_BUDGET: "${bad}" is not a number of bytes such as 512MiB or 2GiB`,
      ]);
  });
});

describe('connections', () => {
  it('are bounded by default', () => {
    assert.deepEqual(readConfig({}).connections, { total: 2_048, perAddress: 512 });
  });

  it('have bounds of at least one', () => {
    const environment = { TIS_MAX_CONNECTIONS: '10', TIS_MAX_CONNECTIONS_PER_ADDRESS: '1' };
    assert.deepEqual(readConfig(environment).connections, { total: 10, perAddress: 1 });
    assert.equal(faultsOf({ TIS_MAX_CONNECTIONS: '0', TIS_MAX_CONNECTIONS_PER_ADDRESS: 'all' }).length, 2);
  });
});

describe('trusted proxies', () => {
  it('are none by default', () => {
    assert.deepEqual(readConfig({ TIS_TRUSTED_PROXIES: ' ' }).trustedProxies, []);
  });

  it('are addresses and ranges, separated by commas', () => {
    const { trustedProxies } = readConfig({ TIS_TRUSTED_PROXIES: '10.0.0.7, 2001:db8::5/32,,' });
    assert.deepEqual(trustedProxies, ['10.0.0.7/32', '2001:db8::/32']);
  });

  it('are refused one by one if they are neither', () => {
    assert.equal(faultsOf({ TIS_TRUSTED_PROXIES: 'proxy.example.org,10.0.0.0/33,10.0.0.0/8,*' }).length, 3);
  });
});

describe('CORS origins', () => {
  it('are none by default', () => {
    assert.deepEqual(readConfig({}).corsOrigins, []);
  });

  it('are written as browsers write them', () => {
    const origins = 'https://soc.example.org,http://localhost:5173';
    assert.deepEqual(readConfig({ TIS_CORS_ORIGINS: origins }).corsOrigins, origins.split(','));
    for (const bad of [
      '*',
      'null',
      'soc.example.org',
      'https://soc.example.org/',
      'https://soc.example.org/path',
      'https://soc.example.org:443',
      'https://SOC.example.org',
      'https://*.example.org',
      'ftp://soc.example.org',
    ]) {
      const [fault = ''] = faultsOf({ TIS_CORS_ORIGINS: bad });
      assert.equal(fault, `TIS_CORS_ORIGINS: "${bad}" is not an origin such as https://soc.example.org`);
    }
  });
});

it('names every fault with its variable, the value and what was expected', () => {
  const environment = {
    TIS_PORT: 'x',
    TIS_ADMIN_PORT: '65536',
    TIS_WORKERS: '65',
    TIS_TRUSTED_PROXIES: '192.0.2.1,x',
    TIS_DEFAULT_TLP: 'x',
    TIS_MIN_PREFIX_IPV4: '33',
    TIS_MIN_PREFIX_IPV6: '/32',
    TIS_NEW_VALUES_PER_DAY: '-1',
    TIS_LOG_LEVEL: 'x',
    TIS_DATABASE_URL: 'x',
  };
  assert.deepEqual(faultsOf(environment), [
    'TIS_PORT: "x" is not a port (0 to 65535)',
    'TIS_ADMIN_PORT: "65536" is not a port (0 to 65535) or `off`',
    'TIS_TRUSTED_PROXIES: "x" is not an address or a CIDR range',
    'TIS_DEFAULT_TLP: "x" is not a TLP 2.0 marking (CLEAR, GREEN, AMBER, AMBER_STRICT, RED)',
    'TIS_MIN_PREFIX_IPV4: "33" is not a whole number from 0 to 32',
    'TIS_MIN_PREFIX_IPV6: "/32" is not a whole number from 0 to 128',
    'TIS_NEW_VALUES_PER_DAY: "-1" is not a whole number from 0 to 999999999999999',
    'TIS_LOG_LEVEL: "x" is not one of fatal, error, warn, info, debug, trace, silent',
    'TIS_WORKERS: "65" is not a whole number from 0 to 64',
    'TIS_DATABASE_URL: this version has the embedded store only; leave it empty and set TIS_DATA_DIR',
  ]);
});

it('sets the quotas of all reporters to a hundred times those of one, unless they are given', () => {
  const { each, all } = readConfig({}).quota;
  assert.deepEqual(
    [each, all],
    [
      { values: 50_000, bytes: 1_073_741_824 },
      { values: 5_000_000, bytes: 107_374_182_400 },
    ],
  );
  const given = readConfig({ TIS_NEW_VALUES_PER_DAY: '0', TIS_NEW_BYTES_PER_DAY_ALL: '20000000000' }).quota;
  assert.deepEqual(given, { each: { ...each, values: 0 }, all: { values: 0, bytes: 20_000_000_000 } });
});

describe('ports', () => {
  it('are 8080 and 8081 by default', () => {
    const { port, adminPort } = readConfig({});
    assert.deepEqual({ port, adminPort }, { port: 8080, adminPort: 8081 });
  });

  it('are both free ones when the first is 0; the admin port can be off', () => {
    assert.equal(readConfig({ TIS_PORT: '0' }).adminPort, 0);
    assert.equal(readConfig({ TIS_PORT: '0', TIS_ADMIN_PORT: '9' }).adminPort, 9);
    assert.equal(readConfig({ TIS_ADMIN_PORT: 'OFF' }).adminPort, undefined);
  });
});

describe('identity tokens', () => {
  const jwt = {
    TIS_JWT_ISSUER: 'https://login.example.org',
    TIS_JWT_AUDIENCE: 'tis',
    TIS_JWT_JWKS_URL: 'https://login.example.org/keys',
  };

  it('need issuer, audience and key set', () => {
    assert.equal(readConfig({ TIS_JWT_ACCOUNT_CLAIM: 'org' }).jwt, undefined);
    assert.deepEqual(readConfig({ ...jwt, TIS_JWT_ACCOUNT_CLAIM: 'org' }).jwt, {
      issuer: 'https://login.example.org',
      audience: 'tis',
      jwksUrl: 'https://login.example.org/keys',
      accountClaim: 'org',
    });
    assert.deepEqual(faultsOf({ ...jwt, TIS_JWT_AUDIENCE: '' }), [
      'TIS_JWT_ISSUER, TIS_JWT_AUDIENCE and TIS_JWT_JWKS_URL: set all three or none',
    ]);
    assert.deepEqual(faultsOf({ ...jwt, TIS_JWT_JWKS_URL: 'keys' }), [
      'TIS_JWT_JWKS_URL: "keys" is not an http or https URL',
    ]);
  });
});

describe('data for enrichment', () => {
  it('is none by default', () => {
    const nothing = {
      geoDatabases: [],
      asnDatabases: [],
      warningLists: [],
      galaxies: [],
      reverseDns: undefined,
      summary: undefined,
    };
    assert.deepEqual(readConfig({}).enrichment, nothing);
    assert.deepEqual(readConfig({ TIS_REVERSE_DNS: 'off' }).enrichment, nothing);
  });

  it('a model for summaries: address and name together, one key, GREEN unless another marking is allowed', () => {
    const given = { TIS_SUMMARY_URL: 'http://127.0.0.1:1/v1', TIS_SUMMARY_MODEL: 'm' };
    assert.deepEqual(readConfig(given).enrichment.summary, {
      url: 'http://127.0.0.1:1/v1',
      model: 'm',
      key: undefined,
      keyFile: undefined,
      ceiling: 'GREEN',
    });
    assert.equal(readConfig({ ...given, TIS_SUMMARY_TLP: 'amber' }).enrichment.summary?.ceiling, 'AMBER');
    for (const bad of [
      { TIS_SUMMARY_URL: given.TIS_SUMMARY_URL },
      { TIS_SUMMARY_MODEL: 'm' },
      { ...given, TIS_SUMMARY_URL: 'ftp://h' },
      { ...given, TIS_SUMMARY_KEY: 'k', TIS_SUMMARY_KEY_FILE: 'f' },
    ])
      assert.equal(faultsOf(bad).length, 1, JSON.stringify(bad));
  });

  it('is named by paths, separated by commas', () => {
    const { geoDatabases, asnDatabases, warningLists, galaxies } = readConfig({
      TIS_GEO_DB: '/data/v4.mmdb, /data/v6.mmdb',
      TIS_ASN_DB: 'asn.mmdb',
      TIS_WARNINGLISTS: 'lists,own',
      TIS_GALAXY: 'clusters/rat.json, clusters/botnet.json',
    }).enrichment;
    assert.deepEqual(geoDatabases, ['/data/v4.mmdb', '/data/v6.mmdb']);
    assert.deepEqual(asnDatabases, ['asn.mmdb']);
    assert.deepEqual(warningLists, ['lists', 'own']);
    assert.deepEqual(galaxies, ['clusters/rat.json', 'clusters/botnet.json']);
  });

  it('can use reverse DNS with the resolvers of the machine or with named ones', () => {
    const resolvers = (value: string) => readConfig({ TIS_REVERSE_DNS: value }).enrichment.reverseDns;
    assert.deepEqual(resolvers('ON'), { servers: [] });
    const named = ['192.0.2.53', '192.0.2.53:5353', '2001:db8::53', '[2001:db8::53]:5353'];
    assert.deepEqual(resolvers(named.join()), { servers: named });
    for (const bad of [
      'yes',
      'dns.example.com',
      '192.0.2.53:0',
      '192.0.2.53:65536',
      '[192.0.2]',
      '2001:db8::53:x',
    ])
      assert.equal(faultsOf({ TIS_REVERSE_DNS: bad }).length, 1, bad);
  });
});

describe('the public address', () => {
  it('may have a path of a proxy', () => {
    const publicUrl = 'https://intel.example.org/tis/';
    assert.equal(readConfig({ TIS_PUBLIC_URL: publicUrl }).publicUrl, publicUrl);
  });

  it('has no user, password, query, fragment or feed path', () => {
    for (const bad of [
      'https://user:hush@intel.example.org',
      'https://user@intel.example.org',
      'https://intel.example.org/?q=1',
      'https://intel.example.org/#feed',
      'https://intel.example.org?',
      'https://intel.example.org/taxii2/',
      'https://intel.example.org/taxii2',
    ]) {
      const faults = faultsOf({ TIS_PUBLIC_URL: bad });
      assert.equal(faults.length, 1, bad);
      assert.ok(!faults.join().includes('hush'));
    }
  });
});

describe('an address with a user or a password', () => {
  const variables = [
    'TIS_USAGE_SINK_URL',
    'TIS_JWT_JWKS_URL',
    'TIS_JWT_ISSUER',
    'TIS_PUBLIC_URL',
    'TIS_SECRET_SCANNING_KEYS',
    'TIS_CORS_ORIGINS',
    'TIS_HOST',
    'TIS_DATA_DIR',
    'TIS_GEO_DB',
    'TIS_COLLECTIONS',
    'TIS_TRUSTED_PROXIES',
    'TIS_REVERSE_DNS',
    'TIS_SUMMARY_URL',
  ];
  const addresses = [
    'https://user:hush@host.example.org/path',
    'http://user:hush@192.0.2.1',
    'https://:hush@host.example.org',
    'https://hush@host.example.org',
    'HTTPS://user:hush@host.example.org',
    'https:user:hush@host.example.org',
    'https:\\\\user:hush@host.example.org',
    'ftp://user:hush@host.example.org',
  ];
  for (const name of variables) {
    it(`is refused in ${name}, and the message does not repeat it`, () => {
      for (const address of addresses) {
        const faults = faultsOf({ [name]: address }).join('\n');
        assert.ok(faults.includes(`${name}: an address must not contain a user or a password`), address);
        assert.ok(!faults.includes('hush'), faults);
      }
    });
  }

  it('is not repeated when it cannot be read as an address', () => {
    for (const name of variables.filter((name) => !/ISSUER|DATA_DIR/.test(name))) {
      for (const text of [
        'https://user:hu/sh@host.example.org',
        'https://user:hush@host.example.org:99999',
      ]) {
        const faults = faultsOf({ [name]: text }).join('\n');
        assert.ok(faults.includes(`${name}: the value is not `), faults);
        assert.doesNotMatch(faults, /hush|hu\/sh/);
      }
    }
  });

  it('is not mistaken for a path with an @ or an address without a user', () => {
    const good = {
      TIS_SECRET_SCANNING_KEYS: '/etc/tis/keys@1.json',
      TIS_GEO_DB: 'C:\\geo@1.mmdb',
      TIS_HOST: '::1',
    };
    assert.deepEqual(faultsOf(good), []);
    assert.equal(
      readConfig({ TIS_USAGE_SINK_URL: 'https://h.example/a@b' }).usageSink?.url,
      'https://h.example/a@b',
    );
  });
});

describe('TLS', () => {
  it('is off by default and needs two paths', () => {
    assert.equal(readConfig({}).tls, undefined);
    const pair = { TIS_TLS_CERT: '/etc/tis/cert.pem', TIS_TLS_KEY: '/etc/tis/key.pem' };
    assert.deepEqual(readConfig(pair).tls, { certificate: '/etc/tis/cert.pem', key: '/etc/tis/key.pem' });
    for (const name of ['TIS_TLS_CERT', 'TIS_TLS_KEY']) {
      assert.deepEqual(faultsOf({ ...pair, [name]: '' }), ['TIS_TLS_CERT and TIS_TLS_KEY: set both or none']);
      assert.equal(faultsOf({ ...pair, [name]: 'https://example.org/file.pem' }).length, 1);
    }
  });
});

describe('the usage sink', () => {
  it('is none by default, and named by the public address when there is one', () => {
    assert.equal(readConfig({}).usageSink, undefined);
    const url = 'https://billing.example.org/events';
    assert.deepEqual(readConfig({ TIS_USAGE_SINK_URL: url }).usageSink, {
      url,
      source: 'threat-indicator-service',
    });
    assert.deepEqual(
      readConfig({
        TIS_USAGE_SINK_URL: url,
        TIS_USAGE_SINK_TOKEN: 'secret',
        TIS_PUBLIC_URL: 'https://intel.example.org',
      }).usageSink,
      { url, token: 'secret', source: 'https://intel.example.org' },
    );
  });

  it('is an http address; a token needs one, and is never repeated', () => {
    assert.equal(
      faultsOf({ TIS_USAGE_SINK_URL: 'billing.example.org', TIS_USAGE_SINK_TOKEN: 'x' }).length,
      1,
    );
    const faults = faultsOf({ TIS_USAGE_SINK_TOKEN: 'hush' });
    assert.equal(faults.length, 1);
    assert.ok(!faults.join().includes('hush'));
  });
});

describe('the keys of a secret scanner', () => {
  it('are none by default, a path or an https address', () => {
    assert.equal(readConfig({}).secretScanningKeys, undefined);
    for (const good of ['/etc/tis/scanner.json', 'https://api.example.com/keys']) {
      assert.equal(readConfig({ TIS_SECRET_SCANNING_KEYS: good }).secretScanningKeys, good);
    }
    assert.equal(faultsOf({ TIS_SECRET_SCANNING_KEYS: 'http://api.example.com/keys' }).length, 1);
  });
});
