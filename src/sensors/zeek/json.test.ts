import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actOf, detailsOf } from '../acts.test-support.ts';
import type { RecordResult } from '../reader.ts';
import { readRecords } from '../reader.ts';
import { zeekJson } from './json.ts';

const ATTACKER = '198.51.100.7';

const ROW = {
  ts: 1772409600.123456,
  uid: 'CExample0001',
  'id.orig_h': ATTACKER,
  'id.orig_p': 40001,
  'id.resp_h': '192.168.40.12',
  'id.resp_p': 502,
};

async function read(text: string): Promise<RecordResult[]> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  return (await Array.fromAsync(readRecords(bytes(), zeekJson, {}))).flat();
}

async function outcome(row: Readonly<Record<string, unknown>>): Promise<unknown> {
  const [result] = await read(JSON.stringify(row));
  if (result?.kind === 'refused') return result.reason;
  if (result?.kind !== 'events') return '-';
  const [event] = result.events;
  return [event?.protocol, event?.value, event && actOf(event)];
}

test('a log that nobody names is known by its columns', async () => {
  const cases: [Record<string, unknown>, unknown][] = [
    [
      { func: 'unknown-171', exception: 'Unknown' },
      ['MODBUS', ATTACKER, { 'modbus.function_code': 'unknown-171' }],
    ],
    [
      { is_orig: 'T', rosctr_code: 1, function_code: '0x29', subfunction_code: 'Unknown' },
      ['S7', ATTACKER, { 's7.rosctr': '1', 's7.function_code': '0x29' }],
    ],
    [
      { is_orig: true, block_type: 'Control Relay Output Block', function_code: 'OPERATE' },
      ['DNP3', ATTACKER, { 'dnp3.function_code': 'OPERATE' }],
    ],
    [
      { is_orig: true, bvlc_function: 'x', pdu_type: 'CONFIRMED_REQUEST', pdu_service: 'write_property' },
      ['BACNET', ATTACKER, { 'bacnet.service': 'write_property' }],
    ],
    [{ is_orig: true, pdu_service: 'who-is' }, ['BACNET', ATTACKER, { 'bacnet.service': 'who-is' }]],
    [{ identifier_str: 'CallRequest' }, ['OPC_UA', ATTACKER, { 'opcua.service': 'CallRequest' }]],
    [{ enip_command: 'List Identity' }, ['UNSPECIFIED', ATTACKER, { 'enip.command': 'List Identity' }]],
    [
      { note: 'Scan::Port_Scan', msg: 'x', src: ATTACKER },
      ['UNSPECIFIED', ATTACKER, { 'scan.type': 'ports' }],
    ],
    [{ query: 'example.com', qtype: 1 }, '-'],
  ];
  for (const [columns, expected] of cases) {
    assert.deepEqual(await outcome({ ...ROW, ...columns }), expected, JSON.stringify(columns));
  }
});

test('a protocol without a word in the contract is a label', async () => {
  const [result] = await read(JSON.stringify({ ...ROW, cip_service: 'Reset' }));
  assert.ok(result?.kind === 'events');
  assert.deepEqual(result.events[0]?.labels, [{ key: 'protocol', value: 'enip' }]);
});

test('shippers name the log, the sensor, and columns in a way of their own', async () => {
  const row = { '@stream': 'dnp3', '@system': 'tap-7', ts: ROW.ts, id_orig_h: ATTACKER, fc_request: 'WRITE' };
  const [result] = await read(JSON.stringify(row));
  assert.ok(result?.kind === 'events');
  assert.equal(result.events[0]?.sensorId, 'tap-7');
  assert.equal(result.events[0]?.protocol, 'DNP3');
});

test('times as Zeek can be told to write them', async () => {
  const timeOf = async (ts: unknown): Promise<unknown> => {
    const [result] = await read(JSON.stringify({ ...ROW, ts, func: 'READ_COILS' }));
    return result?.kind === 'events' ? result.events[0]?.observedAt : result;
  };
  const expected = Date.UTC(2026, 2, 2, 0, 0, 0, 123);
  for (const ts of [
    1772409600.123456,
    1772409600123,
    '2026-03-02T00:00:00.123456Z',
    '2026-03-02T00:00:00.123456789',
    '1772409600.123456',
  ]) {
    assert.equal(await timeOf(ts), expected, String(ts));
  }
  assert.deepEqual(await timeOf('XXXXXXXXXX.XXXXXX'), {
    kind: 'refused',
    line: 1,
    reason: 'INVALID_TIMESTAMP',
  });
});

test('rows come one per line or as one array, pretty or not', async () => {
  const rows = [
    { ...ROW, func: 'unknown-171' },
    { ...ROW, func: 'READ_COILS' },
  ];
  const lines = rows.map((row) => JSON.stringify(row));
  for (const text of [
    lines.join('\n'),
    `[\n${lines.join(',\n')}\n]\n`,
    JSON.stringify(rows),
    JSON.stringify(rows, null, 4),
  ]) {
    assert.deepEqual(
      (await read(text)).map((result) => result.kind),
      ['events', 'events'],
      text,
    );
  }
});

test('what is no row is refused, what has no time and nothing to report is passed over', async () => {
  const results = await read(
    '{"name":"/opt/zeek/base/init-bare.zeek"}\n{"ts":\n[1]\n{"func":"READ_COILS","id.orig_h":"192.0.2.1"}',
  );
  assert.deepEqual(
    results.map((result) => (result.kind === 'refused' ? result.reason : result.kind)),
    ['withoutObservable', 'INVALID_JSON', 'INVALID_JSON', 'MISSING_TIMESTAMP'],
  );
});

test('details of a row: the port, the client, the notice', async () => {
  const details = async (row: object, times = 1) => {
    const results = await read(`${JSON.stringify(row)}\n`.repeat(times));
    const last = results.at(-1);
    return last?.kind === 'events' ? last.events.map(detailsOf) : last?.kind;
  };
  assert.deepEqual(await details({ ...ROW, func: 'unknown-171', exception: 'x' }), [
    { 'destination.port': '502' },
  ]);
  assert.deepEqual(await details({ ...ROW, note: 'Scan::Port_Scan', msg: 'x', src: ATTACKER, p: 22 }), [
    { 'alert.rule': 'Scan::Port_Scan', 'destination.port': '22' },
  ]);
  const ssh = { ...ROW, 'id.resp_p': 22, auth_success: false, auth_attempts: 3, client: 'SSH-2.0-Go' };
  assert.deepEqual(await details(ssh), [{ 'destination.port': '22', 'client.version': 'SSH-2.0-Go' }]);
});
