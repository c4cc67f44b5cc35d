// Which function a Modbus, S7 or DNP3 request asks for, from its first bytes as honeypots log them.

import { type Evidence, evidenceOf } from './evidence.ts';

const MODBUS_DIAGNOSTICS = 8;
const MODBUS_ENCAPSULATED_INTERFACE = 43;
const MODBUS_UMAS = 90;

const COTP_DATA = 0xf0;
const COTP_CONNECTION_REQUEST = 0xe0;
const S7_PROTOCOL_ID = 0x32;
const S7_JOB = 1;
const S7_USER_DATA = 7;
const S7_PROGRAM_INVOCATION = 0x28;

/**
 * The first bytes of a message that Python wrote in hex (`1337…` or `b'1337…'`), enough for any header. Undefined for
 * other text.
 */
export function hexBytes(text: string): Buffer | undefined {
  const digits = /^(?:b['"])?([0-9a-f]{2,512})(?:[0-9a-f]|['"]?$)/i.exec(text)?.[1];
  return digits === undefined ? undefined : Buffer.from(digits, 'hex');
}

/** Evidence of a Modbus/TCP request: a header of seven bytes, the function code, its data. Empty when it is cut off. */
export function modbusEvidence(adu: Buffer): Evidence {
  const functionCode = adu[7];
  return evidenceOf({
    'modbus.function_code': functionCode?.toString(),
    'modbus.mei_type': functionCode === MODBUS_ENCAPSULATED_INTERFACE ? adu[8]?.toString() : undefined,
    'modbus.diagnostic_subfunction':
      functionCode === MODBUS_DIAGNOSTICS && adu.length >= 10 ? adu.readUInt16BE(8).toString() : undefined,
    'modbus.umas_function': functionCode === MODBUS_UMAS ? adu[9]?.toString() : undefined,
  });
}

/**
 * Evidence of an S7 request: a TPKT header of four bytes, the COTP header, ten bytes of S7 header, parameters. Empty
 * when the packet holds no S7.
 */
export function s7Evidence(packet: Buffer): Evidence {
  const s7 = packet.subarray(4 + (packet[4] ?? 0) + 1);
  if (packet[5] !== COTP_DATA || s7[0] !== S7_PROTOCOL_ID) return {};
  const type = s7[1];
  const parameters = s7.subarray(10);
  if (type === S7_JOB) {
    const functionCode = parameters[0];
    return evidenceOf({
      's7.rosctr': type.toString(),
      's7.function_code': functionCode?.toString(),
      's7.subfunction': functionCode === S7_PROGRAM_INVOCATION ? programInvocation(parameters) : undefined,
    });
  }
  // User data: three bytes of head, length, method, one byte of message type and function group, subfunction.
  return evidenceOf({
    's7.rosctr': type?.toString(),
    's7.function_code': type === S7_USER_DATA ? parameters[5]?.toString() : undefined,
    's7.subfunction': type === S7_USER_DATA ? parameters[6]?.toString() : undefined,
  });
}

/** Whether this is the connection request of the transport, which precedes S7. */
export function isCotpConnectionRequest(packet: Buffer): boolean {
  return packet[5] === COTP_CONNECTION_REQUEST;
}

/** Evidence of the application layer of a DNP3 request: a control byte, then the function code. */
export function dnp3Evidence(fragment: Buffer): Evidence {
  return evidenceOf({ 'dnp3.function_code': fragment[1]?.toString() });
}

/**
 * The name of the service, such as `P_PROGRAM`. It stands behind the function, seven bytes, and a block with its own
 * length in two bytes.
 */
function programInvocation(parameters: Buffer): string | undefined {
  if (parameters.length < 11) return undefined;
  const start = 11 + parameters.readUInt16BE(8);
  const end = start + (parameters[start - 1] ?? 0);
  const name = end > parameters.length ? '' : parameters.toString('latin1', start, end);
  return /^\w{1,32}$/.test(name) ? name : undefined;
}
