// The keys of SensorEvent.evidence. They belong to the public contract, so a key never changes its meaning. Unknown
// keys decide nothing, so that a newer sensor works with an older service. They are kept like the others
// (kept-values.ts).
//
// Values are text. A code is decimal (`43`), hexadecimal (`0x2b`) or a name (`READ_COILS`, in any case and spelling).
// An empty value, `-`, `(empty)` and `unknown` stand for a missing value.

import type { SensorEvent } from '../indicator/sensor-event.ts';

/** Every known key, and the meaning of its value. */
export const EVIDENCE_KEYS = {
  'modbus.function_code':
    'function of the request; 128 and above: exception response to the function 128 lower',
  'modbus.mei_type': 'MEI type of function 43',
  'modbus.diagnostic_subfunction': 'subfunction of function 8',
  'modbus.umas_function': 'UMAS function inside function 90',
  'dnp3.function_code': 'application function code',
  's7.function_code': 'S7comm function; for user data the function group, with or without the message type',
  's7.rosctr': 'kind of S7comm message: 1 job, 2 and 3 acknowledgement, 7 user data',
  's7.subfunction': 'subfunction of user data, or name of the program invocation service (`P_PROGRAM`)',
  's7.plus_function_code': 'S7comm-plus function',
  'bacnet.service': 'service by name; a number is a confirmed service',
  'bacnet.unconfirmed_service': 'number (or name) of an unconfirmed service',
  'bacnet.object_type': 'type of the object that is read',
  'opcua.service': 'service by name (`ReadRequest`), or node id of its request in the binary encoding',
  'enip.command': 'EtherNet/IP encapsulation command',
  'cip.service': 'CIP service inside EtherNet/IP',
  'iec104.type_id': 'IEC 60870-5-104 type identification',
  'snmp.operation': '`get`, `get-next`, `get-bulk`, `walk` or `set`',
  'atg.command': 'automatic tank gauge command, such as `I20100`',
  connection:
    'a connection was opened (any value); `attempted`, or a state of Zeek such as `S0`, if the handshake was not completed',
  dialogue:
    '`true`: the peer used an answer of the sensor, so its address is not forged; `false`: it may be forged. Default: `false` for BACnet and SNMP, and for scans',
  'scan.type': '`ports`, `addresses` or `vulnerabilities`',
  'login.result': '`failed` or `success`; count of the event = number of tries',
  'login.tries': 'tries of this peer so far, this one included, where events are single tries',
  'login.default_credentials': '`true`: the login used credentials of the vendor',
  'command.input': 'command line typed into a shell',
  'command.download': 'URL that a typed command would fetch',
  'file.download': 'URL or hash of a file that was fetched and captured',
  'file.download_failed': 'URL of a file that could not be fetched',
  'file.upload': 'name or hash of a file that was brought along and captured',
  'proxy.request': 'target that the sensor was asked to relay to',
  'http.method': 'request method',
  'http.path': 'path and query of a request',
  'http.body': 'body of a request, or its beginning',
  'http.user_agent': 'User-Agent of a request',
  'http.attack': 'kind of attack that the sensor recognised, such as `sqli`',
  'exploit.cve': 'CVE id of a vulnerability that was attacked',
  'destination.port': 'port of the sensor that the peer addressed',
  'login.user': 'user name that was tried; never a password',
  'client.version': 'what the client calls itself, such as `SSH-2.0-Go`',
  'client.hassh': 'HASSH fingerprint of an SSH client',
  'tls.ja3': 'JA3 fingerprint of a TLS client',
  'file.name': 'name of a file that was fetched or brought along',
  'alert.rule': 'name of the detection rule',
  'alert.sid': 'number of the detection rule',
  'peer.address': 'address of the peer that fetched, brought or called the value of the event',
  'session.id': 'id of the session, unique for its sensor within a day',
  'frame.malformed': '`true`: a frame that breaks its protocol',
  'alert.kind':
    'what a detection rule found: `scan`, `brute-force`, `exploit`, `denial-of-service`, `malware`, `adware`, `command-and-control`, `phishing`, `proxy`, `tor-exit` or `listed`',
  'attack.technique': 'ATT&CK technique ids that a detection rule names, such as `T1190, T1059.004`',
} as const satisfies Readonly<Record<string, string>>;

export type EvidenceKey = keyof typeof EVIDENCE_KEYS;

const PLACEHOLDERS: ReadonlySet<string> = new Set(['', '-', '(empty)', 'unknown']);
/** The length of the longest placeholder. */
const LONGEST_PLACEHOLDER = 7;

/** Whether a value stands for a missing one. */
export function isPlaceholder(value: string): boolean {
  return value.length <= LONGEST_PLACEHOLDER && PLACEHOLDERS.has(value.toLowerCase());
}

/** The value of a key; undefined if it is missing or a placeholder. */
export function evidenceValue(
  evidence: Readonly<Record<string, string>>,
  key: EvidenceKey,
): string | undefined {
  const value = evidence[key];
  return value === undefined || isPlaceholder(value) ? undefined : value;
}

/**
 * Decodes the value of one key into codes of behaviour-rules.ts. The event gives access to related keys and to the
 * protocol. Undefined if the value means nothing. Never throws.
 */
export type EvidenceDecoder = (value: string, event: SensorEvent) => string | readonly string[] | undefined;

/** Decoders by evidence key. A key that only refines another key has no decoder. */
export type EvidenceDecoders = Readonly<Partial<Record<EvidenceKey, EvidenceDecoder>>>;
