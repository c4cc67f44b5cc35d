// Conpot's protocols by name. The names differ between its logs, and within one log.

import type { Label } from '../../domain/indicator/indicator.ts';
import type { Protocol } from '../../domain/vocabulary.ts';

export interface ConpotProtocol {
  /** One name for the spellings of one protocol. */
  readonly name: string;
  readonly protocol: Protocol;
  /** The name of the protocol, when the vocabulary of the contract has no entry for it. */
  readonly labels: readonly Label[];
}

const IN_VOCABULARY: ReadonlyMap<string, Protocol> = new Map([
  ['modbus', 'MODBUS'],
  ['s7', 'S7'],
  ['bacnet', 'BACNET'],
  ['dnp3', 'DNP3'],
  ['opcua', 'OPC_UA'],
  ['snmp', 'SNMP'],
  ['http', 'HTTP'],
  ['ftp', 'FTP'],
  ['telnet', 'TELNET'],
  ['ssh', 'SSH'],
]);

const OTHER_SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['s7comm', 's7'],
  ['guardianast', 'atg'],
  ['kamstrupprotocol', 'kamstrup'],
  ['kamstrupmanagementprotocol', 'kamstrup-management'],
  ['kamstrupmanagement', 'kamstrup-management'],
]);

const known = new Map<string, ConpotProtocol>();
/** Names come from the log, so the map is bounded. */
const MAX_KNOWN = 256;

/**
 * Finds a protocol in any spelling: `modbus`, `Modbus`; `s7comm`, `S7`; `guardian_ast`, `GuardianAST`; `IEC104`, `IEC
 * 104`. An unknown name becomes the label `protocol`, reduced to `[a-z0-9]` and 32 characters.
 */
export function conpotProtocol(spelling: string): ConpotProtocol {
  const found = known.get(spelling);
  if (found !== undefined) return found;
  const reduced = spelling
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, 32);
  const name = OTHER_SPELLINGS.get(reduced) ?? reduced;
  const inVocabulary = IN_VOCABULARY.get(name);
  const protocol: ConpotProtocol = {
    name,
    protocol: inVocabulary ?? 'UNSPECIFIED',
    labels: inVocabulary === undefined && name !== '' ? [{ key: 'protocol', value: name }] : [],
  };
  if (known.size < MAX_KNOWN) known.set(spelling, protocol);
  return protocol;
}
