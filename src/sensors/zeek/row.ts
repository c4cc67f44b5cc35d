// One row of a Zeek log, in text or JSON form, and the log that it belongs to.

import type { Instant } from '../../domain/instant.ts';
import { recordTime } from '../sensor-record.ts';

export interface ZeekRow {
  /** The whole record. */
  readonly text: string;
  /** Name of the log (`conn`, `s7comm`), if the input has it. */
  readonly path: string | undefined;
  /** The sensor that the row names. */
  readonly sensor: string | undefined;
  /** Whether the row has the column, even without a value. */
  has(column: string): boolean;
  /** The value of a column; undefined when it is missing, unset or empty. Booleans are `T` and `F`. */
  get(column: string): string | undefined;
}

const EPOCH = /^(\d{1,12})(?:\.(\d{1,9}))?$/;
/** The year 1990. Before its clock is set, Zeek writes times near zero. */
const EARLIEST = 631_152_000_000;
/** A larger number counts milliseconds, which is an option of Zeek. */
const LATEST_SECONDS = 100_000_000_000;

/**
 * Seconds or milliseconds since 1970, or ISO 8601 (UTC without a zone). Undefined for other text, such as `XXXX.XX`.
 */
export function zeekTime(text: string): Instant | undefined {
  const parts = EPOCH.exec(text) ?? /^(\d{13})$/.exec(text);
  if (parts === null) return recordTime(text);
  const whole = Number(parts[1]);
  const instant =
    whole > LATEST_SECONDS ? whole : whole * 1_000 + Number((parts[2] ?? '').slice(0, 3).padEnd(3, '0'));
  return instant < EARLIEST ? undefined : instant;
}

/**
 * Logs by columns that no other log has. The first log that has all its columns in a row wins. JSON leaves out unset
 * columns, so only columns that are always set are listed.
 */
const COLUMNS: readonly (readonly [log: string, ...columns: string[]])[] = [
  ['conn', 'conn_state', 'proto'],
  ['notice', 'note', 'msg'],
  ['intel', 'seen.indicator', 'seen.indicator_type'],
  ['http', 'trans_depth', 'uri'],
  ['ssh', 'auth_success', 'client'],
  ['snmp', 'get_requests', 'set_requests'],
  ['modbus_detailed', 'func', 'modbus_detailed_link_id', 'matched'],
  ['modbus_mask_write_register', 'func', 'and_mask'],
  ['modbus_read_write_multiple_registers', 'func', 'read_start_address'],
  ['modbus_read_device_identification', 'func', 'conformity_level'],
  ['modbus', 'func', 'id.orig_h'],
  ['dnp3', 'fc_request'],
  ['dnp3_control', 'function_code', 'block_type'],
  ['dnp3_objects', 'function_code', 'object_count'],
  ['bacnet', 'bvlc_function', 'pdu_service'],
  ['bacnet_property', 'pdu_service', 'property'],
  ['bacnet_device_control', 'pdu_service', 'device_state'],
  ['bacnet_discovery', 'pdu_service'],
  ['s7comm_plus', 'opcode', 'function_code'],
  ['s7comm', 'rosctr_code', 'function_code'],
  ['s7comm_read_szl', 'szl_id', 'method'],
  ['s7comm_upload_download', 'rosctr', 'function_name'],
  ['cotp', 'pdu_code', 'pdu_name'],
  ['opcua_binary', 'identifier_str'],
  ['opcua_binary', 'msg_type', 'max_msg_size'],
  ['cip', 'cip_service'],
  ['enip', 'enip_command'],
];

/** The log of a row. Undefined for a log that is not read. */
export function zeekLog(row: ZeekRow): string | undefined {
  if (row.path !== undefined) return row.path;
  return COLUMNS.find(([, ...columns]) => columns.every((column) => row.has(column)))?.[0];
}
