import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../domain/errors.ts';
import { NOON } from '../../domain/indicator/observation.test-support.ts';
import { HOUR, MINUTE, SECOND } from '../../domain/instant.ts';
import type { IndicatorType, TlpMarking } from '../../domain/vocabulary.ts';
import type { Signal } from '../enricher.ts';
import { signalOf } from './enricher.test-support.ts';
import { type NameServer, type Reply, startNameServer } from './loopback-name-server.ts';
import { reverseDns } from './reverse-dns.ts';

function signalFor(type: IndicatorType, value: string, tlp: TlpMarking = 'GREEN'): Signal {
  const { record, ...rest } = signalOf([{}]);
  return { ...rest, record: { ...record, indicator: { ...record.indicator, type, value, tlp } } };
}

/** An enricher that queries the server, and a clock that the test moves. The time limit is longer than any answer. */
function setUp(server: NameServer, timeoutMs = 60_000) {
  const time = { now: NOON };
  const enricher = reverseDns({ servers: [server.address], clock: () => time.now, timeoutMs });
  const nameOf = async (value: string, type: IndicatorType = 'IPV4') => {
    const signal = signalFor(type, value);
    assert.ok(enricher.appliesTo(signal), value);
    return (await enricher.enrich(signal)).reverseDns;
  };
  return { enricher, nameOf, time };
}

function unavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'unavailable';
}

test('the names of IPv4 and IPv6 addresses, lower case', async () => {
  const names: Record<string, Reply> = {
    '7.2.0.192.in-addr.arpa': ['Scan-7.Example.COM'],
    [`1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`]: ['six.example.net'],
  };
  await using server = await startNameServer((name) => names[name] ?? 'NXDOMAIN');
  const { nameOf } = setUp(server);
  assert.equal(await nameOf('192.0.2.7'), 'scan-7.example.com');
  assert.equal(await nameOf('2001:db8::1', 'IPV6'), 'six.example.net');
  assert.equal(await nameOf('http://192.0.2.7:81/x', 'URL'), 'scan-7.example.com');
  assert.equal(await nameOf('192.0.2.8'), undefined);
});

test('only host names are accepted; the first by name is used', async () => {
  const replies: Reply[] = [
    ['b.example.com', 'a.example.com', '0 bad.example.com'],
    ['<script>alert(1)</script>.example.com'],
    ['localhost'],
    ['router.local'],
    ['1.2.0.192.in-addr.arpa'],
    ['192.0.2.1'],
    [
      [63, 63, 63, 58]
        .map((length) => 'x'.repeat(length))
        .concat('com')
        .join('.'),
    ],
    ['\xe9.example.com'],
    [],
  ];
  await using server = await startNameServer((name) => replies[Number(name.split('.')[0])] ?? 'NXDOMAIN');
  const { nameOf } = setUp(server);
  assert.equal(await nameOf('192.0.2.0'), 'a.example.com');
  for (let last = 1; last < replies.length; last++) {
    assert.equal(await nameOf(`192.0.2.${last}`), undefined, String(replies[last]));
  }
});

test('addresses that must not be disclosed are not queried', async () => {
  await using server = await startNameServer(() => 'NXDOMAIN');
  const { enricher } = setUp(server);
  for (const signal of [
    signalFor('IPV4', '10.1.2.3'),
    signalFor('IPV4', '169.254.1.1'),
    signalFor('IPV6', 'fd00::1'),
    signalFor('URL', 'http://192.168.1.1/'),
    signalFor('CIDR', '192.0.2.0/24'),
    signalFor('DOMAIN', 'example.com'),
    signalFor('IPV4', '192.0.2.7', 'AMBER'),
    signalFor('IPV4', '192.0.2.7', 'RED'),
  ]) {
    assert.equal(enricher.appliesTo(signal), false, signal.record.indicator.value);
  }
  assert.equal(enricher.appliesTo(signalFor('IPV4', '192.0.2.7', 'CLEAR')), true);
  assert.deepEqual(server.asked, []);
});

test('the cache keeps a name for hours, the lack of a name for an hour, a failure for minutes', async () => {
  let reply: Reply = ['a.example.com'];
  await using server = await startNameServer(() => reply);
  const { nameOf, time } = setUp(server);
  assert.equal(await nameOf('192.0.2.1'), 'a.example.com');
  reply = 'NXDOMAIN';
  assert.equal(await nameOf('192.0.2.2'), undefined);
  reply = 'SERVFAIL';
  await assert.rejects(nameOf('192.0.2.3'), unavailable);
  const asked = server.asked.length;

  reply = ['b.example.com'];
  assert.equal(await nameOf('192.0.2.1'), 'a.example.com');
  assert.equal(await nameOf('192.0.2.2'), undefined);
  await assert.rejects(nameOf('192.0.2.3'), unavailable);
  assert.equal(server.asked.length, asked, 'no query was repeated');

  time.now += 5 * MINUTE + 1;
  assert.equal(await nameOf('192.0.2.3'), 'b.example.com');
  assert.equal(await nameOf('192.0.2.2'), undefined);
  time.now += HOUR;
  assert.equal(await nameOf('192.0.2.2'), 'b.example.com');
  assert.equal(await nameOf('192.0.2.1'), 'a.example.com');
  time.now += 5 * HOUR;
  assert.equal(await nameOf('192.0.2.1'), 'b.example.com');
});

test('simultaneous requests for one address share a query', async () => {
  await using server = await startNameServer(() => ['a.example.com']);
  const { nameOf } = setUp(server);
  const names = await Promise.all(Array.from({ length: 50 }, () => nameOf('192.0.2.1')));
  assert.deepEqual([...new Set(names)], ['a.example.com']);
  assert.equal(server.asked.length, 1);
});

test('a silent resolver costs the time limit and then gets a pause', async () => {
  let reply: Reply = 'silence';
  await using server = await startNameServer(() => reply);
  const { nameOf, time } = setUp(server, 60);
  const started = performance.now();
  await Promise.all(
    Array.from({ length: 8 }, (_, last) => assert.rejects(nameOf(`192.0.2.${last}`), unavailable)),
  );
  assert.ok(performance.now() - started < 10_000);
  const asked = server.asked.length;
  reply = ['a.example.com'];
  await assert.rejects(nameOf('192.0.2.99'), unavailable);
  assert.equal(server.asked.length, asked, 'no query during the pause');
  // An answer may miss a limit this short. Then another pause begins.
  let name: string | undefined;
  for (let pauses = 0; name === undefined && pauses < 100; pauses += 1) {
    time.now += 30 * SECOND;
    name = await nameOf('192.0.2.99').catch(() => undefined);
  }
  assert.equal(name, 'a.example.com');
});

test('a name of a research scanner counts if it leads back to the address', async () => {
  const names: Record<string, Reply> = {
    '1.2.0.192.in-addr.arpa': ['a.example.com', 'zg-1.stretchoid.com'],
    'zg-1.stretchoid.com': ['192.0.2.77', '192.0.2.1'],
    // An attacker writes the names of his own address, and of a domain of his own.
    '2.2.0.192.in-addr.arpa': ['zg-1.stretchoid.com'],
    '3.2.0.192.in-addr.arpa': ['stretchoid.com.example.net'],
    'stretchoid.com.example.net': ['192.0.2.3'],
    '4.2.0.192.in-addr.arpa': ['gone.shodan.io', 'x.censys-scanner.com', 'zg-4.stretchoid.com'],
    'zg-4.stretchoid.com': ['192.0.2.4'],
    '5.2.0.192.in-addr.arpa': ['broken.shodan.io'],
    'broken.shodan.io': 'SERVFAIL',
  };
  await using server = await startNameServer((name) => names[name] ?? 'NXDOMAIN');
  const { enricher } = setUp(server);
  const foundFor = async (value: string, type: IndicatorType = 'IPV4') =>
    enricher.enrich(signalFor(type, value));

  const { scanner, severityBound, reverseDns } = await foundFor('192.0.2.1');
  assert.deepEqual(scanner, { name: 'Stretchoid', by: 'reverse-name', entry: 'zg-1.stretchoid.com' });
  assert.equal(severityBound?.limit, 'LOW');
  assert.equal(reverseDns, 'zg-1.stretchoid.com');
  assert.deepEqual(await foundFor('http://192.0.2.1/', 'URL'), { reverseDns: 'zg-1.stretchoid.com' });

  assert.deepEqual(await foundFor('192.0.2.2'), { reverseDns: 'zg-1.stretchoid.com' });
  assert.deepEqual(await foundFor('192.0.2.3'), { reverseDns: 'stretchoid.com.example.net' });
  assert.deepEqual(await foundFor('192.0.2.4'), { reverseDns: 'gone.shodan.io' }, 'two names are looked up');
  await assert.rejects(foundFor('192.0.2.5'), unavailable);
  assert.ok(!server.asked.some((name) => name.endsWith('example.net')), 'no name of a stranger is looked up');
});
