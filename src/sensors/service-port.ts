// Protocols by port, for records that name none. The ports are those of IANA, and some that plants use.

import type { Protocol } from '../domain/vocabulary.ts';

const PROTOCOLS: ReadonlyMap<number, Protocol> = new Map([
  [21, 'FTP'],
  [22, 'SSH'],
  [23, 'TELNET'],
  [80, 'HTTP'],
  [102, 'S7'],
  [161, 'SNMP'],
  [502, 'MODBUS'],
  [2222, 'SSH'],
  [2223, 'TELNET'],
  [2323, 'TELNET'],
  [4840, 'OPC_UA'],
  [8080, 'HTTP'],
  [20_000, 'DNP3'],
  [47_808, 'BACNET'],
]);

const CONTROL: ReadonlySet<Protocol> = new Set(['MODBUS', 'DNP3', 'BACNET', 'S7', 'OPC_UA']);

/** UNSPECIFIED for other ports. */
export function servedOn(port: number | undefined): Protocol {
  return (port === undefined ? undefined : PROTOCOLS.get(port)) ?? 'UNSPECIFIED';
}

/** Whether control systems speak the protocol. */
export function isControlProtocol(protocol: Protocol): boolean {
  return CONTROL.has(protocol);
}
