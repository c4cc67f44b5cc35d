import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SensorEvent } from '../../domain/indicator/sensor-event.ts';
import { actOf } from '../acts.test-support.ts';
import type { Line, ReaderOptions, RecordResult } from '../reader.ts';
import { conpotText } from './text.ts';

const SESSION = '0c5d9a0e-6f0b-4c56-9d4a-0f6d0a6c1a01';
const OTHER_SESSION = 'e1b8c3d4-1f20-4b6a-a7c1-6d2e9f305504';

function readLines(lines: readonly Line[], options: ReaderOptions = {}): RecordResult[] {
  const reader = conpotText.createReader(options);
  return [...lines.map((line) => reader.read(line)), reader.end()].filter((result) => result !== undefined);
}

function read(text: string, options: ReaderOptions = {}): RecordResult[] {
  return readLines(
    text.split('\n').map((line, index) => ({ text: line, number: index + 1 })),
    options,
  );
}

/** Messages as lines of the log, a millisecond apart. */
function log(...messages: string[]): string {
  return messages
    .map((message, index) => `2026-03-02 06:14:21,${String(index).padStart(3, '0')} ${message}`)
    .join('\n');
}

function eventsIn(results: readonly RecordResult[]): SensorEvent[] {
  return results.flatMap((result) => (result.kind === 'events' ? result.events : []));
}

/** Results in short: evidence of events, reasons of refusals, `-` for nothing to report. */
function outcome(...messages: string[]): (string | Readonly<Record<string, string>>)[] {
  return read(log(...messages)).map((result) => {
    if (result.kind === 'refused') return result.reason;
    return result.kind === 'events' ? (result.events[0] === undefined ? '?' : actOf(result.events[0])) : '-';
  });
}

const ARRIVED = { connection: 'established' };

test('an event has the peer, the time of the record in UTC and the sensor', () => {
  const [event] = eventsIn(read(log(`New modbus session from 192.0.2.44 (${SESSION})`)));
  assert.match(event?.eventId ?? '', /^[0-9a-f]{32}$/);
  assert.deepEqual(
    { ...event, eventId: '' },
    {
      eventId: '',
      sensorId: 'conpot',
      sensorType: 'ICS',
      protocol: 'MODBUS',
      indicatorType: 'IPV4',
      value: '192.0.2.44',
      observedAt: Date.UTC(2026, 2, 2, 6, 14, 21),
      count: 1n,
      categories: [],
      severity: 'UNSPECIFIED',
      tags: [],
      labels: [],
      tlp: 'UNSPECIFIED',
      evidence: ARRIVED,
    },
  );
});

test('the sensor is the one that is named', () => {
  const text = log(`New modbus session from 192.0.2.44 (${SESSION})`);
  assert.equal(eventsIn(read(text, { sensor: 'east' }))[0]?.sensorId, 'east');
});

test('session and connection are two records of one arrival; further connections are further arrivals', () => {
  assert.deepEqual(
    outcome(
      `New s7comm session from 192.0.2.44 (${SESSION})`,
      `New S7 connection from 192.0.2.44:4711. (${SESSION})`,
      `New S7 connection from 192.0.2.44:4712. (${SESSION})`,
      `New S7 connection from 192.0.2.44:4713. (${SESSION})`,
      `New S7 connection from 192.0.2.45:4713. (${OTHER_SESSION})`,
    ),
    [ARRIVED, '-', ARRIVED, ARRIVED, ARRIVED],
  );
});

test('EtherNet/IP logs the connection before the session', () => {
  assert.deepEqual(
    outcome(
      "handle server TID [2117/140459290331544] starting on ('192.0.2.201', 34776)",
      `New enip session from 192.0.2.201 (${SESSION})`,
      "handle server TID [2117/140459290331544] starting on ('192.0.2.201', 34777)",
    ),
    [ARRIVED, '-', ARRIVED],
  );
});

test('Modbus traffic tells the function from the bytes, else from the log', () => {
  const traffic = (dict: string): string => `Modbus traffic from 192.0.2.44: ${dict} (${SESSION})`;
  assert.deepEqual(
    outcome(
      traffic("{'function_code': 43, 'slave_id': 0, 'request': '133700000005002b0e0100', 'response': ''}"),
      traffic("{'function_code': 5, 'slave_id': 1, 'request': b'000200000006010500acff00', 'response': b''}"),
      traffic("{'function_code': 3, 'slave_id': 1, 'request': None, 'response': None}"),
      traffic("{'function_code': None, 'slave_id': 1, 'request': '', 'response': ''}"),
      traffic("{'function_code': 3, 'slave"),
      'Modbus client 192.0.2.44 declared an invalid length 0, dropping connection.',
    ),
    [
      { 'modbus.function_code': '43', 'modbus.mei_type': '14' },
      { 'modbus.function_code': '5' },
      { 'modbus.function_code': '3' },
      ARRIVED,
      'DAMAGED_RECORD',
      { 'frame.malformed': 'true' },
    ],
  );
});

test('S7 packets are joined to their peer by the session', () => {
  const packet = (type: number, session: string): string =>
    `Received S7 packet: magic:50 pdu_type:${type} reserved:0 req_id:0 param_len:8 data_len:8 result_inf:0 session_id:${session}`;
  const results = read(
    log(
      `New s7comm session from 192.0.2.44 (${SESSION})`,
      `New S7 connection from 198.51.100.7:4711. (${OTHER_SESSION})`,
      packet(7, SESSION),
      packet(1, OTHER_SESSION),
      packet(1, '00000000-0000-4000-8000-000000000000'),
      'Stop signal recieved from 198.51.100.7',
    ),
  );
  const shown = eventsIn(results).map((event) => [event.value, event.protocol, event.evidence]);
  assert.deepEqual(shown.slice(2), [
    ['192.0.2.44', 'S7', { 's7.rosctr': '7' }],
    ['198.51.100.7', 'S7', { 's7.rosctr': '1' }],
    ['198.51.100.7', 'S7', { 's7.rosctr': '1', 's7.function_code': '41' }],
  ]);
  assert.deepEqual(results[4], { kind: 'refused', line: 5, reason: 'UNKNOWN_SESSION' });
});

test('HTTP requests tell method, path, body and user agent, and nothing else of what the peer wrote', () => {
  const request = (method: string, tuple: string): string =>
    `HTTP/1.1 ${method} request from ('192.0.2.130', 60112): ${tuple}. ${SESSION}`;
  assert.deepEqual(
    outcome(
      request('GET', String.raw`('/a', ['Host: 203.0.113.10:80\r\n', 'User-Agent: Mozilla/5.0\r\n'], '')`),
      request('POST', `('/b', [('user-agent', 'curl'), ('Accept', '*/*')], b'x=1')`),
      request('GET', `('/c', <http.client.HTTPMessage object>, None)`),
      "HTTP/0.9 None request from ('192.0.2.130', 41818): (None, [], None). ".concat(SESSION),
      `HTTP/1.1 response to ('192.0.2.130', 60112): 302. ${SESSION}`,
    ),
    [
      { 'http.method': 'GET', 'http.path': '/a', 'http.user_agent': 'Mozilla/5.0' },
      { 'http.method': 'POST', 'http.path': '/b', 'http.user_agent': 'curl', 'http.body': 'x=1' },
      { 'http.method': 'GET', 'http.path': '/c' },
      { 'frame.malformed': 'true' },
      '-',
    ],
  );
});

test('what the peer wrote is bounded and cannot pass for a record of its own', () => {
  const path = `/${'x'.repeat(5_000)}`;
  const forged = String.raw`/a\n2026-03-02 06:14:22,000 New modbus session from 198.51.100.1 (${SESSION})`;
  const request = (target: string): string =>
    `HTTP/1.1 GET request from ('192.0.2.1', 1): ('${target}', [], None). ${SESSION}`;
  const events = eventsIn(read(log(request(path), request(forged))));
  assert.equal(events[0]?.evidence['http.path']?.length, 1_024);
  assert.deepEqual(
    events.map((event) => event.value),
    ['192.0.2.1', '192.0.2.1'],
  );
  assert.deepEqual(
    events.flatMap((event) => [...event.tags, ...event.labels]),
    [],
  );
});

test('the other protocols', () => {
  const results = read(
    log(
      "SNMPv2 GetNext request from ('192.0.2.1', 33012): 1.3.6.1.2.1.1.1.0 ",
      "SNMPv1 Bulk request from ('192.0.2.1', 33012): 1.3.6.1.2.1 ",
      'Bacnet indication from 2001:db8::17:47808. (ReadPropertyRequest)',
      String.raw`FTP traffic to ('192.0.2.1', 45990): {'request': b'STOR /a b.bin\r\n'} (${SESSION})`,
      String.raw`FTP traffic to ('192.0.2.1', 45990): {'request': b'USER x\r\n'} (${SESSION})`,
      String.raw`FTP traffic to ('192.0.2.1', 45990): {'response': b'530 Authentication Failed.\r\n'} (${SESSION})`,
      String.raw`FTP traffic to ('192.0.2.1', 45990): {'response': b'230 Log in Successful.\r\n'} (${SESSION})`,
      `S60201: UNLEADED command attempt 192.0.2.1:52041. (${SESSION})`,
      `New DNP3 connection from 192.0.2.1:20001. (${SESSION})`,
      `New OPC UA connection from 192.0.2.1:20001. (${SESSION})`,
      `New IEC 104 connection from 192.0.2.1:20001. (${SESSION})`,
      `('192.0.2.1', 20001) ---> u_frame. STARTDT act. (${SESSION})`,
      'New TFTP client has connected. Connection from 192.0.2.1:20001. ',
      "New IPMI traffic from ('192.0.2.1', 623)",
      "Incoming IPMI traffic from ('192.0.2.1', 623)",
      `New kamstrup_protocol session from 192.0.2.1 (${SESSION})`,
    ),
  );
  assert.deepEqual(
    eventsIn(results).map((event) => [event.protocol, event.labels[0]?.value, actOf(event)]),
    [
      ['SNMP', undefined, { 'snmp.operation': 'GetNext' }],
      ['SNMP', undefined, { 'snmp.operation': 'GetBulk' }],
      ['BACNET', undefined, { 'bacnet.service': 'ReadPropertyRequest' }],
      ['FTP', undefined, { 'file.upload': '/a b.bin' }],
      ['FTP', undefined, ARRIVED],
      ['FTP', undefined, { 'login.result': 'failed' }],
      ['FTP', undefined, { 'login.result': 'success' }],
      ['UNSPECIFIED', 'atg', { 'atg.command': 'S60201' }],
      ['DNP3', undefined, ARRIVED],
      ['OPC_UA', undefined, ARRIVED],
      ['UNSPECIFIED', 'iec104', ARRIVED],
      ['UNSPECIFIED', 'iec104', ARRIVED],
      ['UNSPECIFIED', 'tftp', ARRIVED],
      ['UNSPECIFIED', 'ipmi', ARRIVED],
      ['UNSPECIFIED', 'ipmi', ARRIVED],
      ['UNSPECIFIED', 'kamstrup', ARRIVED],
    ],
  );
  assert.equal(eventsIn(results)[2]?.indicatorType, 'IPV6');
});

test('an EtherNet/IP dump is one record over many lines', () => {
  const dump = (command: string): string =>
    ["EtherNet/IP CIP Request  (Client ('192.0.2.201', 34776)): {", ...(command === '' ? [] : [command])]
      .concat('    "addr": [', '        "192.0.2.201", ', '        34776', '    ]', '}')
      .join('\n');
  const failed = [
    'Failed request: {',
    '    "request.enip.command": 790, ',
    '    "request.addr": [',
    '        "192.0.2.202", ',
    '        34776',
    '    ]',
    '}',
  ].join('\n');
  const results = read(log(dump('    "enip.command": 99, '), dump(''), failed));
  assert.deepEqual(
    results.map((result) => [result.kind, result.line]),
    [
      ['events', 1],
      ['withoutObservable', 8],
      ['events', 14],
    ],
  );
  assert.deepEqual(
    eventsIn(results).map((event) => [event.value, event.labels, event.evidence]),
    [
      ['192.0.2.201', [{ key: 'protocol', value: 'enip' }], { 'enip.command': '99' }],
      ['192.0.2.202', [{ key: 'protocol', value: 'enip' }], { 'frame.malformed': 'true' }],
    ],
  );
});

test('the sensor starting, its answers and its stack traces have nothing to report', () => {
  const trace = [
    'handle server failure: no progress',
    'Traceback (most recent call last):',
    '  File "x"',
    '',
  ];
  assert.deepEqual(
    outcome(
      'Starting Conpot using template: /opt/conpot/templates/default',
      'connecting to 198.51.100.250:10000',
      trace.join('\n'),
      'Modbus connection terminated with client 192.0.2.44.',
      `Received COTP Connection Request: dst-ref:0 src-ref:20 dst-tsap:258 src-tsap:256 tpdu-size:10. (${SESSION})`,
      'S7 error: Invalid length',
    ),
    ['-', '-', '-', '-', '-', '-'],
  );
});

test('the addresses of the sensor never become events', () => {
  const arrival = (address: string): string => `New http session from ${address} (${SESSION})`;
  assert.deepEqual(
    outcome(
      'Fetched 203.0.113.10 as external ip.',
      "Modbus server started on: ('0.0.0.0', 502)",
      "handle server PID [2117] running on ('203.0.113.11', 44818)",
      'OPCUAServer listening on 203.0.113.12:4840',
      arrival('203.0.113.10'),
      arrival('0.0.0.0'),
      arrival('203.0.113.11'),
      arrival('203.0.113.12'),
      arrival('::ffff:203.0.113.10'),
      arrival('10.0.0.1'),
      arrival('1.2.3'),
    ),
    ['-', '-', '-', '-', ...Array(5).fill('SENSOR_ADDRESS'), ARRIVED, 'INVALID_ADDRESS'],
  );
});

test('lines before the first time are one refused record; blank ones are none', () => {
  assert.deepEqual(read(`\n  File "x"\nmore\n${log('Starting Conpot')}`), [
    { kind: 'refused', line: 2, reason: 'NO_TIMESTAMP' },
    { kind: 'withoutObservable', line: 4, what: 'Starting Conpot' },
  ]);
  assert.deepEqual(read('\n\n'), []);
});

test('a time that is none refuses the record', () => {
  assert.deepEqual(read(`2026-02-30 06:14:21,037 New http session from 192.0.2.1 (${SESSION})`), [
    { kind: 'refused', line: 1, reason: 'INVALID_TIMESTAMP' },
  ]);
});

test('a faulty line is refused with the lines that belong to it', () => {
  const results = readLines([
    { text: log('Starting Conpot'), number: 1 },
    { text: '', number: 2, fault: 'LINE_TOO_LONG' },
    { text: 'belongs to it', number: 3 },
    { text: log('Starting Conpot'), number: 4 },
  ]);
  assert.deepEqual(results, [
    { kind: 'withoutObservable', line: 1, what: 'Starting Conpot' },
    { kind: 'refused', line: 2, reason: 'LINE_TOO_LONG' },
    { kind: 'withoutObservable', line: 4, what: 'Starting Conpot' },
  ]);
});

test('a record without end is refused and not kept', () => {
  const line = 'x'.repeat(10_000);
  const lines = Array.from({ length: 200 }, (_, index) => ({ text: line, number: index + 2 }));
  assert.deepEqual(readLines([{ text: log('Starting Conpot'), number: 1 }, ...lines]), [
    { kind: 'refused', line: 1, reason: 'RECORD_TOO_LONG' },
  ]);
  assert.deepEqual(readLines(lines), [{ kind: 'refused', line: 2, reason: 'NO_TIMESTAMP' }]);
});

test('a line may hold what other programs take for the end of one', () => {
  assert.deepEqual(
    outcome(`HTTP/1.1 GET request from ('192.0.2.1', 1): ('/a\rb\u{2028}', [], None). ${SESSION}`),
    [{ 'http.method': 'GET', 'http.path': '/a\rb\u{2028}' }],
  );
});

test('a record read again has the same id, another record has another', () => {
  const text = log(
    `New http session from 192.0.2.1 (${SESSION})`,
    `New http session from 192.0.2.1 (${SESSION})`,
  );
  const ids = [...eventsIn(read(text)), ...eventsIn(read(text))].map((event) => event.eventId);
  assert.equal(ids[0], ids[2]);
  assert.notEqual(ids[0], ids[1]);
});
