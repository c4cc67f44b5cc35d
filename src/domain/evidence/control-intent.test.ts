import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT } from '../indicator/observation.test-support.ts';
import { decodeBehaviours } from './behaviour.ts';
import { BEHAVIOUR_RULES, behaviourRule } from './behaviour-rules.ts';

function codes(evidence: Record<string, string>): readonly string[] {
  return decodeBehaviours({ ...EVENT, evidence }).behaviours;
}

/** Evidence, its behaviour and its intent. */
const CASES: readonly [Record<string, string>, string, string][] = [
  [{ 'modbus.function_code': '1' }, 'modbus:read-coils', 'read'],
  [{ 'modbus.function_code': 'READ_HOLDING_REGISTERS' }, 'modbus:read-holding-registers', 'read'],
  [{ 'modbus.function_code': 'Report Slave ID' }, 'modbus:report-server-id', 'discover'],
  [{ 'modbus.function_code': '0x2B' }, 'modbus:read-device-identification', 'discover'],
  [
    { 'modbus.function_code': 'ENCAP_INTERFACE_TRANSPORT', 'modbus.mei_type': 'Read Device Identification' },
    'modbus:read-device-identification',
    'discover',
  ],
  [{ 'modbus.function_code': '43', 'modbus.mei_type': '13' }, 'modbus:canopen-general-reference', 'discover'],
  [{ 'modbus.function_code': '43', 'modbus.mei_type': '-' }, 'modbus:read-device-identification', 'discover'],
  [{ 'modbus.function_code': '43', 'modbus.mei_type': '99' }, 'modbus:encapsulated-interface', 'discover'],
  [{ 'modbus.function_code': '8' }, 'modbus:diagnostics', 'discover'],
  [
    { 'modbus.function_code': '8', 'modbus.diagnostic_subfunction': '1' },
    'modbus:restart-communications',
    'control',
  ],
  [
    { 'modbus.function_code': '8', 'modbus.diagnostic_subfunction': '0x0004' },
    'modbus:force-listen-only',
    'control',
  ],
  [{ 'modbus.function_code': '15' }, 'modbus:write-multiple-coils', 'write'],
  [{ 'modbus.function_code': 'MASK_WRITE_REGISTER' }, 'modbus:mask-write-register', 'write'],
  [{ 'modbus.function_code': 'PROGRAM_584_984_2' }, 'modbus:program-controller', 'program'],
  [{ 'modbus.function_code': '125' }, 'modbus:firmware-replacement', 'program'],
  [{ 'modbus.function_code': '90' }, 'modbus:umas', 'discover'],
  [
    { 'modbus.function_code': '90', 'modbus.umas_function': '0x41' },
    'modbus:umas-stop-controller',
    'control',
  ],
  [{ 'modbus.function_code': '99' }, 'modbus:function-99', 'discover'],
  [{ 'modbus.function_code': '256' }, 'modbus:function', 'discover'],
  [{ 'modbus.function_code': 'DROP TABLE' }, 'modbus:function', 'discover'],

  [{ 'dnp3.function_code': '1' }, 'dnp3:read', 'read'],
  [{ 'dnp3.function_code': 'SELECT' }, 'dnp3:select', 'write'],
  [{ 'dnp3.function_code': 'DIRECT_OPERATE_NR' }, 'dnp3:direct-operate', 'write'],
  [{ 'dnp3.function_code': '13' }, 'dnp3:cold-restart', 'control'],
  [{ 'dnp3.function_code': 'STOP_APPL' }, 'dnp3:stop-application', 'control'],
  [{ 'dnp3.function_code': '21' }, 'dnp3:disable-unsolicited', 'control'],
  [{ 'dnp3.function_code': '31' }, 'dnp3:activate-configuration', 'program'],
  [{ 'dnp3.function_code': '77' }, 'dnp3:function-77', 'discover'],

  [{ 's7.function_code': '0xf0', 's7.rosctr': '1' }, 's7:setup-communication', 'discover'],
  [{ 's7.function_code': '0x04' }, 's7:read-variable', 'read'],
  [{ 's7.function_code': 'Write Variable' }, 's7:write-variable', 'write'],
  [{ 's7.function_code': '0x1d' }, 's7:start-upload', 'read'],
  [{ 's7.function_code': '0x1b' }, 's7:download-block', 'program'],
  [{ 's7.function_code': 'PLC Stop' }, 's7:plc-stop', 'control'],
  [{ 's7.function_code': '0x28', 's7.subfunction': 'P_PROGRAM' }, 's7:plc-start-stop', 'control'],
  [{ 's7.function_code': '0x28', 's7.subfunction': '_MODU' }, 's7:copy-ram-to-rom', 'program'],
  [{ 's7.function_code': '0x28', 's7.subfunction': '_DELE' }, 's7:delete-block', 'program'],
  [{ 's7.function_code': '0x28' }, 's7:plc-control', 'control'],
  [{ 's7.function_code': '0x44', 's7.subfunction': '0x01' }, 's7:read-szl', 'discover'],
  [{ 's7.function_code': '0x84', 's7.subfunction': '0x01' }, 's7:read-szl', 'discover'],
  [{ 's7.function_code': '4', 's7.rosctr': '7', 's7.subfunction': '1' }, 's7:read-szl', 'discover'],
  [{ 's7.function_code': '0x47', 's7.subfunction': '0x02' }, 's7:set-clock', 'write'],
  [{ 's7.function_code': '0x43', 's7.subfunction': '0x01' }, 's7:block-information', 'discover'],
  [{ 's7.rosctr': '7' }, 's7:function', 'discover'],
  [{ 's7.rosctr': '7', 's7.function_code': '-' }, 's7:function', 'discover'],
  [{ 's7.function_code': '0xaa' }, 's7:function-170', 'discover'],
  [{ 's7.plus_function_code': '0x0542' }, 's7:write-variable', 'write'],

  [{ 'bacnet.service': 'who-is' }, 'bacnet:who-is', 'discover'],
  [{ 'bacnet.service': 'read_property' }, 'bacnet:read-property', 'read'],
  [
    { 'bacnet.service': 'read-property-request', 'bacnet.object_type': 'device' },
    'bacnet:read-device-identification',
    'discover',
  ],
  [{ 'bacnet.service': 'write-property-request' }, 'bacnet:write-property', 'write'],
  [{ 'bacnet.service': '15' }, 'bacnet:write-property', 'write'],
  [{ 'bacnet.service': 'reinitialize_device' }, 'bacnet:reinitialize-device', 'control'],
  [{ 'bacnet.service': 'atomic_write_file' }, 'bacnet:write-file', 'program'],
  [{ 'bacnet.unconfirmed_service': '8' }, 'bacnet:who-is', 'discover'],
  [{ 'bacnet.service': '200' }, 'bacnet:service-200', 'discover'],

  [{ 'opcua.service': 'GetEndpointsRequest' }, 'opcua:get-endpoints', 'discover'],
  [{ 'opcua.service': '631' }, 'opcua:read', 'read'],
  [{ 'opcua.service': 'Write' }, 'opcua:write', 'write'],
  [{ 'opcua.service': 'CallRequest' }, 'opcua:call', 'control'],
  [{ 'opcua.service': '9999' }, 'opcua:service-9999', 'discover'],

  [{ 'enip.command': '0x63' }, 'enip:list-identity', 'discover'],
  [{ 'cip.service': '0x87' }, 'cip:stop', 'control'],
  [{ 'iec104.type_id': '45' }, 'iec104:command', 'write'],
  [{ 'iec104.type_id': 'C_RP_NA_1' }, 'iec104:reset-process', 'control'],
  [{ 'snmp.operation': 'GetNextRequest-PDU' }, 'snmp:get', 'discover'],
  [{ 'snmp.operation': 'set' }, 'snmp:set', 'write'],
  [{ 'atg.command': 'I20100' }, 'atg:read', 'read'],
  [{ 'atg.command': '\u0001S602001' }, 'atg:set', 'write'],
];

test('function and service codes of control protocols', () => {
  for (const [evidence, code, intent] of CASES) {
    assert.deepEqual(codes(evidence), [code], JSON.stringify(evidence));
    assert.equal(behaviourRule(code)?.intent, intent, code);
  }
});

test('an exception response stands for the function that was refused', () => {
  assert.deepEqual(codes({ 'modbus.function_code': 'unknown-171' }), [
    'modbus:exception',
    'modbus:read-device-identification',
  ]);
  assert.deepEqual(codes({ 'modbus.function_code': '128' }), ['modbus:exception', 'modbus:function-0']);
  assert.deepEqual(codes({ 'modbus.function_code': '0x85' }), [
    'modbus:exception',
    'modbus:write-single-coil',
  ]);
  assert.deepEqual(codes({ 'modbus.function_code': 'READ_COILS_EXCEPTION' }), [
    'modbus:exception',
    'modbus:read-coils',
  ]);
});

test('the refusal of a function that only some vendor has is no attack', () => {
  assert.deepEqual(codes({ 'modbus.function_code': '253' }), ['modbus:exception', 'modbus:function-125']);
  assert.deepEqual(codes({ 'modbus.function_code': '125' }), ['modbus:firmware-replacement']);
});

test("a device's own messages are nobody's behaviour", () => {
  assert.deepEqual(codes({ 'dnp3.function_code': 'UNSOLICITED_RESPONSE' }), []);
  assert.deepEqual(codes({ 'dnp3.function_code': '129' }), []);
  assert.deepEqual(codes({ 'bacnet.service': 'abort' }), []);
  assert.deepEqual(codes({ 'iec104.type_id': '13' }), []);
});

test('every code that numbers can give has a rule, and every number gives a code', () => {
  const keys = ['modbus.function_code', 's7.function_code', 'bacnet.service', 'enip.command', 'cip.service'];
  for (const key of keys) {
    for (let number = 0; number < 256; number++) {
      const found = codes({ [key]: String(number) });
      assert.notEqual(found.length, 0, `${key} ${number}`);
      for (const code of found) assert.ok(behaviourRule(code), code);
    }
  }
});

test('every rule of a control protocol can be reached', () => {
  const reached = new Set<string>();
  const numbers = Array.from({ length: 256 }, (_, number) => String(number));
  const subfunctions = ['P_PROGRAM', '_MODU', '_GARB', '_INSE', '_DELE', ...numbers];
  const second: Record<string, [string, readonly string[]][]> = {
    'modbus.function_code': [
      ['modbus.mei_type', numbers],
      ['modbus.diagnostic_subfunction', numbers],
      ['modbus.umas_function', numbers],
    ],
    's7.function_code': [['s7.subfunction', subfunctions]],
    'bacnet.service': [['bacnet.object_type', ['8']]],
  };
  const single = [
    'dnp3.function_code',
    'bacnet.unconfirmed_service',
    'enip.command',
    'cip.service',
    'iec104.type_id',
  ];
  for (const number of numbers) {
    for (const key of single) for (const code of codes({ [key]: number })) reached.add(code);
    for (const [key, others] of Object.entries(second)) {
      for (const code of codes({ [key]: number })) reached.add(code);
      for (const [other, values] of others) {
        for (const value of values)
          for (const code of codes({ [key]: number, [other]: value })) reached.add(code);
      }
    }
  }
  for (let number = 0; number < 13_000; number++) {
    for (const code of codes({ 'opcua.service': String(number) })) reached.add(code);
    for (const code of codes({ 's7.plus_function_code': String(number) })) reached.add(code);
  }
  for (const value of ['x', '99999']) {
    for (const key of [
      'modbus.function_code',
      'dnp3.function_code',
      's7.function_code',
      'bacnet.service',
      'opcua.service',
    ]) {
      for (const code of codes({ [key]: value })) reached.add(code);
    }
    for (const key of ['enip.command', 'cip.service', 'iec104.type_id']) {
      for (const code of codes({ [key]: value })) reached.add(code);
    }
  }
  const families = ['modbus', 'dnp3', 's7', 'bacnet', 'opcua', 'enip', 'cip', 'iec104'];
  const unreached = [...BEHAVIOUR_RULES.keys()].filter(
    (code) => families.includes(code.split(':')[0] ?? '') && !reached.has(code),
  );
  assert.deepEqual(unreached, []);
});
