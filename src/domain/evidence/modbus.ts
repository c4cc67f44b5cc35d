// Modbus function codes (MODBUS Application Protocol Specification V1.1b3, and those of vendors) as behaviour codes.

import { type EvidenceDecoders, evidenceValue } from './evidence-key.ts';
import { codeName, codeNumber, codeTable, lookUp } from './protocol-code.ts';

/** The public functions. */
const FUNCTIONS = codeTable('modbus', [
  [1, 'read-coils'],
  [2, 'read-discrete-inputs'],
  [3, 'read-holding-registers'],
  [4, 'read-input-registers'],
  [5, 'write-single-coil'],
  [6, 'write-single-register'],
  [7, 'read-exception-status'],
  [8, 'diagnostics'],
  [11, 'get-comm-event-counter'],
  [12, 'get-comm-event-log'],
  [15, 'write-multiple-coils'],
  [16, 'write-multiple-registers'],
  [17, 'report-server-id', 'report-slave-id'],
  [20, 'read-file-record'],
  [21, 'write-file-record'],
  [22, 'mask-write-register'],
  [23, 'read-write-multiple-registers'],
  [24, 'read-fifo-queue'],
  [43, 'encapsulated-interface', 'encap-interface-transport', 'encapsulated-interface-transport'],
]);

/** Functions of vendors. Each generation of Modicon controllers has its own function for loading a program. */
const VENDOR_FUNCTIONS = codeTable('modbus', [
  [9, 'program-controller', 'program-484'],
  [13, 'program-controller', 'program-584-984'],
  [18, 'program-controller', 'program-884-u84'],
  [40, 'program-controller', 'program-concept'],
  [126, 'program-controller', 'program-584-984-2'],
  [[10, 14], 'poll-controller', 'poll-484', 'poll-584-984'],
  [19, 'reset-communications', 'reset-comm-link-884-u84'],
  [90, 'umas', 'program-unity'],
  [125, 'firmware-replacement'],
  [127, 'report-local-address'],
]);

/** Function 8. Most subfunctions read a counter; a few silence or restart the device. */
const DIAGNOSTICS = codeTable('modbus', [
  [0, 'return-query-data'],
  [1, 'restart-communications', 'restart-communications-option'],
  [3, 'change-ascii-delimiter', 'change-ascii-input-delimiter'],
  [4, 'force-listen-only', 'force-listen-only-mode'],
  [10, 'clear-counters', 'clear-counters-and-diagnostic-register'],
  [20, 'clear-counters', 'clear-overrun-counter-and-flag'],
]);

/** MEI types of function 43. Scanners ask for 14, so 14 is assumed when the sensor names no type. */
const MEI_TYPES = codeTable('modbus', [
  [13, 'canopen-general-reference'],
  [14, 'read-device-identification'],
]);

/** Function 90, UMAS of Schneider. UMAS calls a transfer into the controller an "upload"; here that is a download. */
const UMAS_FUNCTIONS = codeTable('modbus', [
  [[0x20, 0x22, 0x24], 'umas-read'],
  [[0x21, 0x23, 0x25], 'umas-write'],
  [[0x30, 0x31, 0x32], 'umas-program-download'],
  [[0x33, 0x34, 0x35], 'umas-program-upload'],
  [0x40, 'umas-start-controller', 'start-plc'],
  [0x41, 'umas-stop-controller', 'stop-plc'],
]);

/** This bit marks an exception response: the device refused the function. */
const EXCEPTION = 0x80;
const HIGHEST_FUNCTION = 0xff;

export const MODBUS_EVIDENCE: EvidenceDecoders = {
  'modbus.function_code': (value, { evidence }) => {
    const number = codeNumber(value);
    if (number !== undefined && number > HIGHEST_FUNCTION) return 'modbus:function';
    const refused = number === undefined ? codeName(value).endsWith('exception') : number >= EXCEPTION;
    const asked = number === undefined ? value : String(number % EXCEPTION);
    // A refused function is not taken for a vendor function. The eighth character of any text that is sent to port 502,
    // such as an HTTP request, is read as a function, and `}` has the number of a firmware replacement.
    const known = lookUp(FUNCTIONS, asked) ?? (refused ? undefined : lookUp(VENDOR_FUNCTIONS, asked));
    const unnamed = number === undefined ? 'modbus:function' : `modbus:function-${asked}`;
    const code = known === undefined ? unnamed : refine(known, evidence);
    return refused ? [code, 'modbus:exception'] : code;
  },
};

/** Three functions have their meaning in a second field. */
function refine(code: string, evidence: Readonly<Record<string, string>>): string {
  switch (code) {
    case 'modbus:diagnostics':
      return lookUp(DIAGNOSTICS, evidenceValue(evidence, 'modbus.diagnostic_subfunction')) ?? code;
    case 'modbus:encapsulated-interface': {
      const type = evidenceValue(evidence, 'modbus.mei_type');
      return type === undefined ? 'modbus:read-device-identification' : (lookUp(MEI_TYPES, type) ?? code);
    }
    case 'modbus:umas':
      return lookUp(UMAS_FUNCTIONS, evidenceValue(evidence, 'modbus.umas_function')) ?? code;
    default:
      return code;
  }
}
