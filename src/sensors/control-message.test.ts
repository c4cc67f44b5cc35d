import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  dnp3Evidence,
  hexBytes,
  isCotpConnectionRequest,
  modbusEvidence,
  s7Evidence,
} from './control-message.ts';

function bytes(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(' ', ''), 'hex');
}

test('hex as Python 2 and 3 write it', () => {
  assert.deepEqual(hexBytes('1337'), bytes('1337'));
  assert.deepEqual(hexBytes("b'1337ab'"), bytes('1337ab'));
  assert.deepEqual(hexBytes('00'.repeat(5_000)), Buffer.alloc(256));
  for (const text of ['', "b''", 'read_holding_registers', '0x2b', 'b'])
    assert.equal(hexBytes(text), undefined, text);
});

test('a Modbus request names its function, and what refines it', () => {
  assert.deepEqual(modbusEvidence(bytes('1337 0000 0005 00 2b 0e 01 00')), {
    'modbus.function_code': '43',
    'modbus.mei_type': '14',
  });
  assert.deepEqual(modbusEvidence(bytes('0001 0000 0006 01 08 0004 0000')), {
    'modbus.function_code': '8',
    'modbus.diagnostic_subfunction': '4',
  });
  assert.deepEqual(modbusEvidence(bytes('0001 0000 0004 00 5a 00 41')), {
    'modbus.function_code': '90',
    'modbus.umas_function': '65',
  });
  assert.deepEqual(modbusEvidence(bytes('0002 0000 0006 01 05 00ac ff00')), { 'modbus.function_code': '5' });
  assert.deepEqual(modbusEvidence(bytes('0001 0000 0002 01 08')), { 'modbus.function_code': '8' });
  assert.deepEqual(modbusEvidence(bytes('0002 0000')), {});
});

test('an S7 job names its function', () => {
  const setup = '03000019 02f080 32 01 0000 0000 0008 0000 f0 00 0001 0001 01e0';
  assert.deepEqual(s7Evidence(bytes(setup)), { 's7.rosctr': '1', 's7.function_code': '240' });
  const stop = '03000021 02f080 32 01 0000 0000 0010 0000 29 0000000000 09 505f50524f4752414d';
  assert.deepEqual(s7Evidence(bytes(stop)), { 's7.rosctr': '1', 's7.function_code': '41' });
});

test('an S7 program invocation names the service', () => {
  const start = '03000025 02f080 32 01 0000 0000 0014 0000 28 000000000000fd 0000 09 505f50524f4752414d';
  assert.deepEqual(s7Evidence(bytes(start)), {
    's7.rosctr': '1',
    's7.function_code': '40',
    's7.subfunction': 'P_PROGRAM',
  });
  assert.equal(s7Evidence(bytes(start.slice(0, -8)))['s7.subfunction'], undefined);
});

test('S7 user data names group and subfunction', () => {
  const readSzl = '03000021 02f080 32 07 0000 0000 0008 0008 00 01 12 04 11 44 01 00 ff090004 0011 0001';
  assert.deepEqual(s7Evidence(bytes(readSzl)), {
    's7.rosctr': '7',
    's7.function_code': '68',
    's7.subfunction': '1',
  });
});

test('the connection request of the transport is told from S7', () => {
  const request = bytes('03000016 11 e0 0000 0014 00 c1020100 c2020102 c0010a');
  assert.equal(isCotpConnectionRequest(request), true);
  assert.deepEqual(s7Evidence(request), {});
  assert.equal(isCotpConnectionRequest(bytes('03000019 02f080 32')), false);
});

test('a DNP3 fragment names its function', () => {
  assert.deepEqual(dnp3Evidence(bytes('c0 05 0c01')), { 'dnp3.function_code': '5' });
  assert.deepEqual(dnp3Evidence(bytes('c0')), {});
});

test('any bytes are decoded to short texts', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (array) => {
      const message = Buffer.from(array);
      const headed = Buffer.concat([bytes('0300001902f0803201'), message]);
      for (const decode of [modbusEvidence, s7Evidence, dnp3Evidence]) {
        for (const value of [...Object.values(decode(message)), ...Object.values(decode(headed))]) {
          assert.match(value, /^\w{1,32}$/);
        }
      }
    }),
  );
});
