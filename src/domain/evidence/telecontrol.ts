// Telecontrol and device management: IEC 60870-5-104 types, SNMP operations, automatic tank gauge commands.

import type { EvidenceDecoders } from './evidence-key.ts';
import { codeName, codeNumber, codeTable, lookUp } from './protocol-code.ts';

/** Type identifications in control direction (IEC 60870-5-101, table 8 ff.). */
const IEC104_TYPES = codeTable('iec104', [
  [[45, 58], 'command', 'C_SC_NA_1', 'C_SC_TA_1'],
  [[46, 59], 'command', 'C_DC_NA_1', 'C_DC_TA_1'],
  [[47, 60], 'command', 'C_RC_NA_1', 'C_RC_TA_1'],
  [[48, 61], 'set-point', 'C_SE_NA_1', 'C_SE_TA_1'],
  [[49, 62], 'set-point', 'C_SE_NB_1', 'C_SE_TB_1'],
  [[50, 63], 'set-point', 'C_SE_NC_1', 'C_SE_TC_1'],
  [[51, 64], 'command', 'C_BO_NA_1', 'C_BO_TA_1'],
  [[100, 101], 'interrogation', 'C_IC_NA_1', 'C_CI_NA_1'],
  [102, 'read', 'C_RD_NA_1'],
  [103, 'set-clock', 'C_CS_NA_1'],
  [[104, 106, 107], 'test', 'C_TS_NA_1', 'C_CD_NA_1', 'C_TS_TA_1'],
  [105, 'reset-process', 'C_RP_NA_1'],
  [[110, 111], 'set-parameter', 'P_ME_NA_1', 'P_ME_NB_1'],
  [[112, 113], 'set-parameter', 'P_ME_NC_1', 'P_AC_NA_1'],
  [[120, 121, 122, 123, 124, 125, 126, 127], 'file-transfer'],
]);

/** Lower types are reports of the station. */
const FIRST_CONTROL_TYPE = 45;
const HIGHEST_TYPE = 0xff;
/** The station reports its start. */
const END_OF_INITIALISATION = 70;

const SNMP_OPERATIONS: ReadonlyMap<string, string> = new Map([
  ['get', 'snmp:get'],
  ['getnext', 'snmp:get'],
  ['getbulk', 'snmp:get'],
  ['walk', 'snmp:walk'],
  ['set', 'snmp:set'],
]);

export const TELECONTROL_EVIDENCE: EvidenceDecoders = {
  'iec104.type_id': (value) => {
    const known = lookUp(IEC104_TYPES, value);
    const number = codeNumber(value);
    if (known !== undefined || number === undefined) return known;
    if (number < FIRST_CONTROL_TYPE || number === END_OF_INITIALISATION) return undefined;
    return number > HIGHEST_TYPE ? 'iec104:type' : `iec104:type-${number}`;
  },
  'snmp.operation': (value) => SNMP_OPERATIONS.get(codeName(value).replace(/(?:request|pdu)+$/, '')),
  // Veeder-Root commands: I reads an inventory or a setting, S sets one.
  'atg.command': (value) => {
    const command = /^\W?([IS])\d/i.exec(value.slice(0, 8))?.[1];
    if (command === undefined) return 'atg:command';
    return command.toUpperCase() === 'S' ? 'atg:set' : 'atg:read';
  },
};
