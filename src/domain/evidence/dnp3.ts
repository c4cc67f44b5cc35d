// DNP3 application function codes (IEEE 1815-2012, table 4-2) as behaviour codes.

import type { EvidenceDecoders } from './evidence-key.ts';
import { codeNumber, codeTable, lookUp } from './protocol-code.ts';

const FUNCTIONS = codeTable('dnp3', [
  [0, 'confirm'],
  [1, 'read'],
  [2, 'write'],
  [3, 'select'],
  [4, 'operate'],
  [5, 'direct-operate'],
  [6, 'direct-operate', 'direct-operate-nr', 'direct-operate-no-ack'],
  [[7, 8, 11, 12], 'freeze', 'immed-freeze', 'immed-freeze-nr', 'freeze-at-time', 'freeze-at-time-nr'],
  [[9, 10], 'freeze-and-clear', 'freeze-clear', 'freeze-clear-nr'],
  [13, 'cold-restart'],
  [14, 'warm-restart'],
  [15, 'initialize-data'],
  [16, 'initialize-application', 'initialize-appl'],
  [17, 'start-application', 'start-appl'],
  [18, 'stop-application', 'stop-appl'],
  [19, 'save-configuration', 'save-config'],
  [20, 'enable-unsolicited'],
  [21, 'disable-unsolicited'],
  [22, 'assign-class'],
  [23, 'delay-measurement', 'delay-measure'],
  [24, 'record-current-time'],
  [25, 'open-file'],
  [26, 'close-file'],
  [27, 'delete-file'],
  [28, 'get-file-information', 'get-file-info'],
  [29, 'authenticate-file'],
  [30, 'abort-file'],
  [31, 'activate-configuration', 'activate-config'],
  [[32, 33], 'authenticate', 'authenticate-req', 'authenticate-err', 'auth-request', 'auth-request-no-ack'],
]);

/** Codes in this range are answers of the device and show nothing about the sender of the request. */
const FIRST_RESPONSE = 129;
const LAST_RESPONSE = 131;
const RESPONSES: ReadonlySet<string> = new Set(['RESPONSE', 'UNSOLICITED_RESPONSE', 'AUTHENTICATE_RESP']);
const HIGHEST_FUNCTION = 0xff;

export const DNP3_EVIDENCE: EvidenceDecoders = {
  'dnp3.function_code': (value) => {
    if (RESPONSES.has(value.toUpperCase())) return undefined;
    const number = codeNumber(value);
    if (number !== undefined && number >= FIRST_RESPONSE && number <= LAST_RESPONSE) return undefined;
    const known = lookUp(FUNCTIONS, value);
    if (known !== undefined) return known;
    return number === undefined || number > HIGHEST_FUNCTION ? 'dnp3:function' : `dnp3:function-${number}`;
  },
};
