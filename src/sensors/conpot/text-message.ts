// The messages of Conpot's text log. The patterns are anchored at the start and match the sensor's own words. Text of
// an attacker comes later in a message, so it cannot pass for another message.

import { hexBytes, modbusEvidence } from '../control-message.ts';
import { type Evidence, evidenceOf } from '../evidence.ts';
import { type ConpotProtocol, conpotProtocol } from './protocol.ts';
import { type PythonDict, parsePythonLiteral } from './python-literal.ts';
import {
  atgEvidence,
  enipEvidence,
  ftpEvidence,
  ftpLoginEvidence,
  httpEvidence,
  MALFORMED,
  snmpEvidence,
} from './request.ts';

export type Message =
  /** The peer arrived: Conpot opened a session, or accepted a connection of a session. */
  | {
      readonly kind: 'session' | 'connection';
      readonly protocol: ConpotProtocol;
      readonly address: string;
      /** Id of the session, if the message has it. */
      readonly session?: string;
    }
  /** The peer sent a request. */
  | {
      readonly kind: 'request';
      readonly protocol: ConpotProtocol;
      readonly address: string;
      readonly evidence: Evidence;
    }
  /** A request whose message names only the session of the peer. */
  | {
      readonly kind: 'in-session';
      readonly protocol: ConpotProtocol;
      readonly session: string;
      readonly evidence: Evidence;
    }
  /** The sensor names one of its own addresses. */
  | { readonly kind: 'own-address'; readonly address: string }
  /** The message starts like a request and is cut off. */
  | { readonly kind: 'damaged' };

type Interpret = (match: RegExpExecArray, body: readonly string[]) => Message | undefined;

interface Pattern {
  /** The start of the message. Comparing it is cheaper than an expression. */
  readonly start: string;
  /**
   * The rest of the message. It is sticky, and a dot matches any character, because a line may hold a carriage
   * return.
   */
  readonly rest: RegExp;
  readonly interpret: Interpret;
}

const ADDRESS = '([0-9A-Fa-f:.]{2,45}(?:%\\w{1,16})?)';
const SESSION = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';
/** A socket address as Python prints it. An IPv6 one has four members. */
const CLIENT = `\\('${ADDRESS}', \\d{1,5}(?:, \\d+, \\d+)?\\)`;

const ENIP_COMMAND = /^ {4}"enip\.command": (\d{1,5})(?:,|$)/;

const ENIP_PEER = /^ {4}"(?:request\.)?addr": \[$/;
const ENIP_ADDRESS = new RegExp(`^ {8}"${ADDRESS}",`);

const DAMAGED: Message = { kind: 'damaged' };

const MODBUS = conpotProtocol('modbus');
const S7 = conpotProtocol('s7comm');
const HTTP = conpotProtocol('http');
const SNMP = conpotProtocol('snmp');
const BACNET = conpotProtocol('bacnet');
const FTP = conpotProtocol('ftp');
const ENIP = conpotProtocol('enip');
const IPMI = conpotProtocol('ipmi');
const TFTP = conpotProtocol('tftp');
const ATG = conpotProtocol('guardian_ast');
const IEC104 = conpotProtocol('IEC104');

const PATTERNS: readonly Pattern[] = [
  pattern(
    'New ',
    `(\\w{1,32}) session from ${ADDRESS} \\(${SESSION}\\)$`,
    ([, name = '', address = '', session]) => arrived('session', conpotProtocol(name), address, session),
  ),
  pattern(
    'New ',
    `([\\w ]{1,32}) connection from ${ADDRESS}:\\d{1,5}\\. \\(${SESSION}\\)$`,
    ([, name = '', address = '', session]) => arrived('connection', conpotProtocol(name), address, session),
  ),
  pattern('New TFTP client has connected', `\\. Connection from ${ADDRESS}:\\d{1,5}\\.`, ([, address = '']) =>
    arrived('connection', TFTP, address),
  ),
  pattern('New IPMI traffic from ', CLIENT, ([, address = '']) => arrived('connection', IPMI, address)),
  pattern('Incoming IPMI traffic from ', CLIENT, ([, address = '']) => request(IPMI, address, {})),
  pattern('handle server TID ', `\\[[\\d/]+\\] starting on ${CLIENT}`, ([, address = '']) =>
    arrived('connection', ENIP, address),
  ),

  pattern('Modbus traffic from ', `${ADDRESS}: (.*)$`, ([, address = '', traffic = '']) => {
    const evidence = modbusTraffic(traffic);
    return evidence === undefined ? DAMAGED : request(MODBUS, address, evidence);
  }),
  pattern('Modbus client ', `${ADDRESS} (?:declared an|sent) `, ([, address = '']) =>
    request(MODBUS, address, MALFORMED),
  ),
  pattern('Kamstrup traffic from ', `${ADDRESS}: `, ([, address = '']) =>
    request(conpotProtocol('kamstrup'), address, {}),
  ),
  pattern(
    'Received S7 packet: ',
    `magic:\\d{1,3} pdu_type:(\\d{1,3}) [\\w: (),]{0,200}session_id:${SESSION}$`,
    ([, type, session = '']) => ({
      kind: 'in-session',
      protocol: S7,
      session,
      evidence: evidenceOf({ 's7.rosctr': type }),
    }),
  ),
  // The misspelling is Conpot's, in every release so far.
  pattern('Stop signal rec', `(?:ei|ie)ved from ${ADDRESS}$`, ([, address = '']) =>
    request(S7, address, { 's7.rosctr': '1', 's7.function_code': '41' }),
  ),
  pattern(
    'HTTP/',
    `\\d\\.\\d (\\S{1,32}) request from ${CLIENT}: (.*)$`,
    ([, method, address = '', tuple = '']) => request(HTTP, address, httpEvidence(method, tuple)),
  ),
  pattern('SNMPv', `(\\d \\w{1,32}) request from ${CLIENT}: `, ([, operation, address = '']) =>
    request(SNMP, address, snmpEvidence(`SNMPv${operation}`)),
  ),
  pattern(
    'Bacnet indication from ',
    `${ADDRESS}:\\d{1,5}\\. \\((\\w{1,64})\\)$`,
    ([, address = '', service]) => request(BACNET, address, evidenceOf({ 'bacnet.service': service })),
  ),
  pattern('FTP traffic to ', `${CLIENT}: (.*)$`, ([, address = '', traffic = '']) => {
    const dict = dictOf(traffic);
    if (dict === undefined) return DAMAGED;
    const asked = dict.get('request');
    if (typeof asked === 'string') return request(FTP, address, ftpEvidence(asked));
    const answered = dict.get('response');
    const login = typeof answered === 'string' ? ftpLoginEvidence(answered) : undefined;
    return login && request(FTP, address, login);
  }),
  pattern('EtherNet/IP CIP Request ', ` ?\\(Client ${CLIENT}\\): \\{`, ([, address = ''], body) => {
    // Without a command it is the end of the connection, which cpppo handles like a request.
    const command = body.map((line) => ENIP_COMMAND.exec(line)?.[1]).find((digits) => digits !== undefined);
    return command === undefined ? undefined : request(ENIP, address, enipEvidence(Number(command)));
  }),
  // A message that cpppo could not process; the dump names the peer.
  pattern('Failed request: {', '$', (_, body) => {
    const at = body.findIndex((line) => ENIP_PEER.test(line));
    const address = at === -1 ? undefined : ENIP_ADDRESS.exec(body[at + 1] ?? '')?.[1];
    return address === undefined ? undefined : request(ENIP, address, MALFORMED);
  }),
  pattern(
    '',
    `(.{1,256}) command attempt ${ADDRESS}:\\d{1,5}\\. \\(${SESSION}\\)$`,
    ([, command = '', address = '']) => request(ATG, address, atgEvidence(command)),
  ),
  pattern("('", `${ADDRESS}', \\d{1,5}(?:, \\d+, \\d+)?\\) ---> `, ([, address = '']) =>
    request(IEC104, address, {}),
  ),

  pattern('Fetched ', `${ADDRESS} as external ip`, ownAddress),
  pattern('', `[\\w /-]{1,40} server started on: \\('${ADDRESS}', `, ownAddress),
  pattern('', `[\\w /-]{1,40} listening on ${ADDRESS}:\\d{1,5}$`, ownAddress),
  pattern('handle server PID ', `\\[\\d+\\] running on \\('${ADDRESS}', `, ownAddress),
  pattern('Starting TFTP server at ', `\\('${ADDRESS}', `, ownAddress),
];

/**
 * Undefined when the message reports no act of a peer: the sensor starts or fails, it answers, or another message
 * reports the same act.
 * @param message the first line of the record, without its time
 * @param body the lines after it
 */
export function interpretMessage(message: string, body: readonly string[]): Message | undefined {
  for (const { start, rest, interpret } of PATTERNS) {
    if (!message.startsWith(start)) continue;
    rest.lastIndex = start.length;
    const match = rest.exec(message);
    if (match !== null) return interpret(match, body);
  }
  return undefined;
}

function pattern(start: string, rest: string, interpret: Interpret): Pattern {
  return { start, rest: new RegExp(rest, 'sy'), interpret };
}

function arrived(
  kind: 'session' | 'connection',
  protocol: ConpotProtocol,
  address: string,
  session?: string,
): Message {
  return { kind, protocol, address, ...(session === undefined ? {} : { session }) };
}

function request(protocol: ConpotProtocol, address: string, evidence: Evidence): Message {
  return { kind: 'request', protocol, address, evidence };
}

function ownAddress([, address = '']: RegExpExecArray): Message {
  return { kind: 'own-address', address };
}

/**
 * Reads `{'function_code': 43, 'slave_id': 0, 'request': '1337…', 'response': ''} (session)`. Undefined when it is
 * cut off.
 */
function modbusTraffic(text: string): Evidence | undefined {
  const dict = dictOf(text);
  if (dict === undefined) return undefined;
  const sent = dict.get('request');
  const message = typeof sent === 'string' ? hexBytes(sent) : undefined;
  const evidence = message === undefined ? {} : modbusEvidence(message);
  if ('modbus.function_code' in evidence) return evidence;
  const functionCode = dict.get('function_code');
  return evidenceOf({
    'modbus.function_code': typeof functionCode === 'number' ? String(functionCode) : undefined,
  });
}

function dictOf(text: string): PythonDict | undefined {
  const value = parsePythonLiteral(text)?.value;
  return value instanceof Map ? value : undefined;
}
