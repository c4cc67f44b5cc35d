import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actOf } from '../acts.test-support.ts';
import type { ReaderOptions, RecordResult } from '../reader.ts';
import { conpotJson } from './json.ts';

/** A line of the log with some members changed. */
function line(changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    timestamp: '2026-03-02T05:11:09.401882',
    sensorid: 'east',
    id: '1b6f0c1d-8a55-4a43-9c0e-1f2d3c4b5a01',
    src_ip: '198.51.100.23',
    src_port: 50214,
    dst_ip: '203.0.113.11',
    dst_port: 502,
    public_ip: null,
    data_type: 'modbus',
    request: null,
    response: null,
    event_type: null,
    ...changes,
  });
}

/** A line in the newer shape. */
function newLine(changes: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    schema_version: 1,
    sensorid: 'east',
    session_id: '71c36273-e0bb-40a9-a264-7381908fbf07',
    protocol: 'dnp3',
    session_time: '2026-03-02T07:33:05.100000+00:00',
    event_time: '2026-03-02T07:33:05.412000+00:00',
    src_ip: '198.51.100.140',
    dst_ip: '203.0.113.11',
    public_ip: null,
    event_type: null,
    request: null,
    response: null,
    error: null,
    data: {},
    ...changes,
  });
}

function read(lines: readonly string[], options: ReaderOptions = {}): RecordResult[] {
  const reader = conpotJson.createReader(options);
  return lines
    .map((text, index) => reader.read({ text, number: index + 1 }))
    .filter((result) => result !== undefined);
}

/** The evidence of the event in a line, `-` for nothing to report, or the reason of the refusal. */
function outcome(text: string): string | Readonly<Record<string, string>> {
  const [result] = read([text]);
  if (result?.kind === 'refused') return result.reason;
  return result?.kind === 'events' ? (result.events[0] === undefined ? '?' : actOf(result.events[0])) : '-';
}

const ARRIVED = { connection: 'established' };

test('a connection', () => {
  const [result] = read([line({ event_type: 'NEW_CONNECTION' })]);
  assert.ok(result?.kind === 'events');
  const [event] = result.events;
  assert.equal(event?.sensorId, 'east');
  assert.equal(event.sensorType, 'ICS');
  assert.equal(event.protocol, 'MODBUS');
  assert.equal(event.value, '198.51.100.23');
  assert.equal(event.observedAt, Date.UTC(2026, 2, 2, 5, 11, 9, 401));
  assert.deepEqual(actOf(event), ARRIVED);
});

test('requests by protocol', () => {
  const cases: [Readonly<Record<string, unknown>>, string | Record<string, string>][] = [
    [{ request: '000100000006010100000010' }, { 'modbus.function_code': '1' }],
    [{ request: "b'133700000005002b0e0100'" }, { 'modbus.function_code': '43', 'modbus.mei_type': '14' }],
    [{ request: 'read coils' }, ARRIVED],
    [{ data_type: 's7comm', request: '0300001611e00000001400c1020100c2020102c0010a' }, '-'],
    [
      { data_type: 's7comm', request: '0300001902f08032010000000000080000f0000001000101e0' },
      { 's7.rosctr': '1', 's7.function_code': '240' },
    ],
    [
      { data_type: 'http', request: "('/a', [('User-Agent', 'curl')], None)", response: '404' },
      { 'http.path': '/a', 'http.user_agent': 'curl' },
    ],
    [
      { data_type: 'snmp', request: { oid: '1.3', val: '' }, event_type: 'SNMPv1 GetNext' },
      { 'snmp.operation': 'GetNext' },
    ],
    [
      { data_type: 'guardian_ast', request: '\u0001I20100\n', event_type: 'AST I20100' },
      { 'atg.command': 'I20100' },
    ],
    [{ data_type: 'guardian_ast', request: "b'^AS60201X\\n'" }, { 'atg.command': 'S60201' }],
    [{ data_type: 'bacnet', request: 'WhoIsRequest' }, { 'bacnet.service': 'WhoIsRequest' }],
    [{ data_type: 'enip', request: '6300000000000000' }, { 'enip.command': '99' }],
    [{ data_type: 'ftp', request: "b'STOR x.bin\\r\\n'" }, { 'file.upload': 'x.bin' }],
    [{ data_type: 'ftp', response: '530 Authentication Failed.\r\n' }, { 'login.result': 'failed' }],
    [{ data_type: 'ftp', response: '200 banner' }, '-'],
    [{ data_type: 'ipmi', request: '0600ff07' }, ARRIVED],
  ];
  for (const [changes, expected] of cases) {
    assert.deepEqual(outcome(line(changes)), expected, JSON.stringify(changes));
  }
});

test('bytes that Conpot on Python 3 wrote as null still show that somebody asked', () => {
  assert.deepEqual(outcome(line()), ARRIVED);
});

test('the end of a connection and an answer have nothing to report', () => {
  for (const event_type of ['CONNECTION_LOST', 'CONNECTION_TERMINATED', 'CONNECTION_CLOSED', 'RESPONSE']) {
    assert.equal(outcome(line({ event_type })), '-');
  }
  assert.equal(outcome(line({ response: '0103' })), '-');
});

test('the newer shape of the log', () => {
  assert.deepEqual(
    outcome(newLine({ event_type: 'REQUEST', request: 'DIRECT_OPERATE', data: { request_raw: 'c0050c01' } })),
    { 'dnp3.function_code': '5' },
  );
  assert.deepEqual(outcome(newLine({ protocol: 'opcua', event_type: 'REQUEST', request: 'Browse' })), {
    'opcua.service': 'Browse',
  });
  assert.deepEqual(outcome(newLine({ protocol: 'modbus', data: { function_code: 16, slave_id: 1 } })), {
    'modbus.function_code': '16',
  });
  assert.deepEqual(outcome(newLine({ protocol: 's7comm', error: 'S7 error: Invalid length' })), {
    'frame.malformed': 'true',
  });
  const [result] = read([newLine({ event_type: 'NEW_CONNECTION' })]);
  assert.equal(
    result?.kind === 'events' && result.events[0]?.observedAt,
    Date.UTC(2026, 2, 2, 7, 33, 5, 412),
  );
});

test('a protocol without a word in the contract is a label', () => {
  const labelled = (data_type: string): unknown => {
    const [result] = read([line({ data_type, event_type: 'NEW_CONNECTION' })]);
    return result?.kind === 'events' && [result.events[0]?.protocol, result.events[0]?.labels];
  };
  assert.deepEqual(labelled('enip'), ['UNSPECIFIED', [{ key: 'protocol', value: 'enip' }]]);
  assert.deepEqual(labelled('guardian_ast'), ['UNSPECIFIED', [{ key: 'protocol', value: 'atg' }]]);
  assert.deepEqual(labelled('constructor'), ['UNSPECIFIED', [{ key: 'protocol', value: 'constructor' }]]);
  assert.deepEqual(labelled('<b>?'), ['UNSPECIFIED', [{ key: 'protocol', value: 'b' }]]);
});

test('the addresses of the sensor never become events', () => {
  assert.equal(outcome(line({ src_ip: '203.0.113.11' })), 'SENSOR_ADDRESS');
  assert.equal(outcome(line({ src_ip: '::ffff:203.0.113.11' })), 'SENSOR_ADDRESS');
  const [, result] = read([line({ public_ip: '203.0.113.99' }), line({ src_ip: '203.0.113.99' })]);
  assert.equal(result?.kind === 'refused' && result.reason, 'SENSOR_ADDRESS');
});

test('a bad line is refused alone, with its number and its reason', () => {
  const bad = [
    '{"timestamp": "2026-03',
    '[]',
    '"text"',
    '{}',
    line({ timestamp: 'yesterday' }),
    line({ src_ip: null }),
    line({ src_ip: 'unknown' }),
    line({ sensorid: 'x'.repeat(129) }),
    line({ sensorid: 'a\u0000b' }),
  ];
  assert.deepEqual(
    read([...bad, '', line()]).map((result) => (result.kind === 'refused' ? result.reason : result.line)),
    [
      'INVALID_JSON',
      'INVALID_JSON',
      'INVALID_JSON',
      'NOT_A_CONPOT_RECORD',
      'INVALID_TIMESTAMP',
      'MISSING_ADDRESS',
      'INVALID_ADDRESS',
      'INVALID_SENSOR_ID',
      'INVALID_SENSOR_ID',
      11,
    ],
  );
  const reader = conpotJson.createReader({});
  assert.deepEqual(reader.read({ text: '', number: 3, fault: 'NUL_BYTE' }), {
    kind: 'refused',
    line: 3,
    reason: 'NUL_BYTE',
  });
});

test('the sensor of lines that name none', () => {
  const sensorOf = (options: ReaderOptions): unknown => {
    const [result] = read([line({ sensorid: '' })], options);
    return result?.kind === 'events' && result.events[0]?.sensorId;
  };
  assert.equal(sensorOf({}), 'conpot');
  assert.equal(sensorOf({ sensor: 'west' }), 'west');
});

test('identical lines are one event, whatever white space ends them', () => {
  const ids = read([line(), `${line()} `, line({ src_port: 1 })]).map((result) =>
    result.kind === 'events' ? result.events[0]?.eventId : undefined,
  );
  assert.equal(ids[0], ids[1]);
  assert.notEqual(ids[0], ids[2]);
});
