// Which log a row of Zeek belongs to, where neither header nor row names it: by columns that no other log has.

import type { ZeekRow } from './row.ts';

/** The first log of which a row has all columns. JSON leaves out what is unset, so they are those that never are. */
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

/** Undefined for a log in which there is nothing to look for. */
export function zeekLog(row: ZeekRow): string | undefined {
  if (row.path !== undefined) return row.path;
  return COLUMNS.find(([, ...columns]) => columns.every((column) => row.has(column)))?.[0];
}
