// Zeek's logs of control protocols: its own (modbus, dnp3) and those of CISA's ICSNPP parsers. A row with a request
// is evidence about the originator of the connection. Answers, such as rows with `is_orig` F, are not. The one
// exception is a Modbus exception, which shows the request that it answers.

import type { Protocol } from '../../domain/vocabulary.ts';
import { type Evidence, evidenceOf } from '../evidence.ts';
import { responderPort, type ZeekLogReader } from './finding.ts';
import type { ZeekRow } from './row.ts';

type Request = (row: ZeekRow) => Evidence | undefined;

/** A COTP connection request, which precedes S7. */
const COTP_CONNECTION_REQUEST = 0x0e;
const S7_JOB = '1';
const S7_USER_DATA = '7';
const S7_PLUS_REQUEST = 0x31;
const MODBUS_EXCEPTION = 0x80;

const LOGS: readonly (readonly [log: string, protocol: Protocol, request: Request])[] = [
  ['modbus', 'MODBUS', modbus],
  ['modbus_detailed', 'MODBUS', modbus],
  ['modbus_mask_write_register', 'MODBUS', modbus],
  ['modbus_read_write_multiple_registers', 'MODBUS', modbus],
  ['modbus_read_device_identification', 'MODBUS', modbus],
  ['dnp3', 'DNP3', (row) => found({ 'dnp3.function_code': row.get('fc_request') })],
  ['dnp3_control', 'DNP3', (row) => found({ 'dnp3.function_code': row.get('function_code') })],
  ['dnp3_objects', 'DNP3', (row) => found({ 'dnp3.function_code': row.get('function_code') })],
  ['bacnet', 'BACNET', bacnet],
  ['bacnet_discovery', 'BACNET', bacnet],
  ['bacnet_property', 'BACNET', bacnet],
  ['bacnet_device_control', 'BACNET', bacnet],
  ['cotp', 'S7', cotp],
  ['s7comm', 'S7', s7comm],
  ['s7comm_plus', 'S7', s7commPlus],
  ['s7comm_read_szl', 'S7', s7ReadSzl],
  ['s7comm_upload_download', 'S7', s7UploadDownload],
  ['opcua_binary', 'OPC_UA', opcua],
  [
    'enip',
    'UNSPECIFIED',
    (row) => found({ 'enip.command': row.get('enip_command_code') ?? row.get('enip_command') }),
  ],
  [
    'cip',
    'UNSPECIFIED',
    (row) => found({ 'cip.service': row.get('cip_service_code') ?? row.get('cip_service') }),
  ],
];

const ENIP_LABELS = [{ key: 'protocol', value: 'enip' }];

export const CONTROL_LOGS: ReadonlyMap<string, ZeekLogReader> = new Map(
  LOGS.map(([log, protocol, request]): [string, ZeekLogReader] => [
    log,
    (row) => {
      if (row.get('is_orig') === 'F' || isAnswer(row)) return undefined;
      const evidence = request(row);
      if (evidence === undefined) return undefined;
      return {
        sensorType: 'ICS',
        protocol,
        ...(protocol === 'UNSPECIFIED' ? { labels: ENIP_LABELS } : {}),
        // Not source_h, which is the device when the roles are swapped.
        peer: { address: row.get('id.orig_h'), evidence: { ...evidence, ...responderPort(row) } },
      };
    },
  ]),
);

/** Whether one of the columns that distinguish requests from answers says that the row is an answer. */
function isAnswer(row: ZeekRow): boolean {
  const direction = row.get('request_response') ?? row.get('network_direction') ?? row.get('direction');
  return /^resp/i.test(direction ?? row.get('pdu_type') ?? '') && !isModbusException(row.get('func') ?? '');
}

function found(entries: Parameters<typeof evidenceOf>[0]): Evidence | undefined {
  const evidence = evidenceOf(entries);
  return Object.keys(evidence).length === 0 ? undefined : evidence;
}

/**
 * Zeek names only the functions it knows. An exception to another function is `unknown-171`, which is function 43
 * plus 128.
 */
function isModbusException(func: string): boolean {
  const number = /^unknown-(\d{1,3})$/.exec(func)?.[1];
  return number === undefined ? func.endsWith('_EXCEPTION') : Number(number) >= MODBUS_EXCEPTION;
}

function modbus(row: ZeekRow): Evidence | undefined {
  return found({
    'modbus.function_code': row.get('func'),
    'modbus.mei_type': row.get('mei_type'),
    'modbus.diagnostic_subfunction': row.get('request_subfunction_code'),
  });
}

function bacnet(row: ZeekRow): Evidence | undefined {
  const service = row.get('pdu_service') ?? '';
  const type = row.get('pdu_type') ?? 'REQUEST';
  if (!/request/i.test(type) || /[-_](?:ack|error)$/i.test(service) || row.get('result') !== undefined)
    return undefined;
  return type.startsWith('UNCONFIRMED')
    ? found({ 'bacnet.unconfirmed_service': service })
    : found({ 'bacnet.service': service, 'bacnet.object_type': row.get('object_type') });
}

function cotp(row: ZeekRow): Evidence | undefined {
  return Number(row.get('pdu_code')) === COTP_CONNECTION_REQUEST ? { connection: 'established' } : undefined;
}

function s7comm(row: ZeekRow): Evidence | undefined {
  const rosctr = row.get('rosctr_code');
  if (rosctr !== S7_JOB && rosctr !== S7_USER_DATA) return undefined;
  return found({
    's7.rosctr': rosctr,
    's7.function_code': row.get('function_code'),
    's7.subfunction': row.get('subfunction_code'),
  });
}

function s7commPlus(row: ZeekRow): Evidence | undefined {
  if (Number(row.get('opcode')) !== S7_PLUS_REQUEST) return undefined;
  return found({ 's7.plus_function_code': row.get('function_code') });
}

function s7ReadSzl(row: ZeekRow): Evidence | undefined {
  if (row.get('method') !== 'Request') return undefined;
  return { 's7.rosctr': S7_USER_DATA, 's7.function_code': '0x44', 's7.subfunction': '0x01' };
}

function s7UploadDownload(row: ZeekRow): Evidence | undefined {
  if (row.get('rosctr')?.startsWith('Job') !== true) return undefined;
  return found({ 's7.rosctr': S7_JOB, 's7.function_code': row.get('function_name') });
}

function opcua(row: ZeekRow): Evidence | undefined {
  const service = row.get('identifier_str') ?? row.get('identifier');
  if (service === undefined) return row.get('msg_type') === 'HEL' ? { connection: 'established' } : undefined;
  return /(?:Response|Fault)$/.test(service) ? undefined : { 'opcua.service': service };
}
