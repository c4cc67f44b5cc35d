// The evidence in a request that Conpot logged, for each protocol.

import { dnp3Evidence, hexBytes, modbusEvidence, s7Evidence } from '../control-message.ts';
import { type Evidence, evidenceOf } from '../evidence.ts';
import type { ConpotProtocol } from './protocol.ts';
import { type PythonValue, parsePythonLiteral } from './python-literal.ts';

const NOTHING: Evidence = {};
/** The peer sent something that is not the protocol. */
export const MALFORMED: Evidence = { 'frame.malformed': 'true' };
const SERVICE_NAME = /^[A-Za-z0-9_]{1,64}$/;
const USER_AGENT = /^user-agent$/i;

/**
 * The evidence in a logged request. It is empty when the request cannot be decoded.
 * @param request hex of the whole message (Modbus, S7, EtherNet/IP, DNP3), a Python tuple (HTTP), text (FTP, tank
 *   gauges), the name of a service (BACnet, OPC UA).
 * @param eventType names the operation for SNMP, as in `SNMPv2 GetNext`.
 */
export function requestEvidence(protocol: ConpotProtocol, request: unknown, eventType: string): Evidence {
  switch (protocol.name) {
    case 'snmp':
      return snmpEvidence(eventType);
    case 'http':
      return typeof request === 'string' ? httpEvidence(undefined, request) : NOTHING;
  }
  if (typeof request !== 'string') return NOTHING;
  switch (protocol.name) {
    case 'modbus':
      return fromHex(request, modbusEvidence);
    case 's7':
      return fromHex(request, s7Evidence);
    case 'enip':
      return fromHex(request, (message) =>
        message.length < 2 ? NOTHING : enipEvidence(message.readUInt16LE(0)),
      );
    case 'dnp3':
      return fromHex(request, dnp3Evidence);
    case 'bacnet':
      return SERVICE_NAME.test(request) ? { 'bacnet.service': request } : NOTHING;
    case 'opcua':
      return SERVICE_NAME.test(request) ? { 'opcua.service': request } : NOTHING;
    case 'ftp':
      return ftpEvidence(pythonText(request));
    case 'atg':
      return atgEvidence(pythonText(request));
    default:
      return NOTHING;
  }
}

/** @param eventType such as `SNMPv1 GetNext` */
export function snmpEvidence(eventType: string): Evidence {
  const operation = /^SNMPv\d (\w{1,32})/.exec(eventType)?.[1];
  return evidenceOf({ 'snmp.operation': operation === 'Bulk' ? 'GetBulk' : operation });
}

/**
 * @param method undefined when the log does not have it, `None` when Conpot could not parse the request line
 * @param request the tuple `(path, headers, body)`; headers are lines in older logs and pairs in newer ones
 */
export function httpEvidence(method: string | undefined, request: string): Evidence {
  if (method === 'None') return MALFORMED;
  const [path, headers, body] = asList(parsePythonLiteral(request)?.value) ?? [firstOf(request)];
  return evidenceOf({
    'http.method': method,
    'http.path': typeof path === 'string' ? path : undefined,
    'http.user_agent': userAgent(asList(headers) ?? []),
    'http.body': typeof body === 'string' ? body : undefined,
  });
}

/** An FTP command line: an upload or a user name. Any other command shows no more than a connection. */
export function ftpEvidence(request: string): Evidence {
  const user = /^USER +([^\r\n]{1,256})/i.exec(request)?.[1];
  if (user !== undefined) return evidenceOf({ connection: 'established', 'login.user': user });
  return evidenceOf({ 'file.upload': /^(?:STOR|STOU|APPE)\b *([^\r\n]*)/i.exec(request)?.[1] });
}

/** The login result that an FTP response reports; undefined for other responses. */
export function ftpLoginEvidence(response: string): Evidence | undefined {
  if (/^530 Authentication/i.test(response)) return { 'login.result': 'failed' };
  if (/^230[ -]Log ?in/i.test(response)) return { 'login.result': 'success' };
  return undefined;
}

/** A tank gauge (Guardian AST) command such as `I20100` or `S60201`, after Control-A or what the log writes for it. */
export function atgEvidence(command: string): Evidence {
  return evidenceOf({ 'atg.command': /^(?:\^A|\W)?([A-Z]\w{5})/i.exec(command)?.[1]?.toUpperCase() });
}

export function enipEvidence(command: number): Evidence {
  return { 'enip.command': String(command) };
}

/** The text itself, or the content of the `repr` of bytes: `b'USER anonymous\r\n'`, as Python 3 writes it. */
export function pythonText(text: string): string {
  if (!/^[bu]?['"]/.test(text)) return text;
  const literal = parsePythonLiteral(text)?.value;
  return typeof literal === 'string' ? literal : text;
}

function fromHex(text: string, decode: (bytes: Buffer) => Evidence): Evidence {
  const bytes = hexBytes(text);
  return bytes === undefined ? NOTHING : decode(bytes);
}

function asList(value: PythonValue | undefined): readonly PythonValue[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** The first member of a tuple whose other members cannot be parsed, such as the `repr` of an object. */
function firstOf(tuple: string): PythonValue | undefined {
  return tuple.startsWith('(') ? parsePythonLiteral(tuple, 1)?.value : undefined;
}

function userAgent(headers: readonly PythonValue[]): string | undefined {
  for (const header of headers) {
    const [name, value] = typeof header === 'string' ? nameAndValue(header) : (asList(header) ?? []);
    if (typeof name === 'string' && typeof value === 'string' && USER_AGENT.test(name)) return value.trim();
  }
  return undefined;
}

function nameAndValue(header: string): [string, string] {
  const colon = header.indexOf(':');
  return colon === -1 ? [header, ''] : [header.slice(0, colon), header.slice(colon + 1)];
}
