// S7comm and S7comm-plus functions as behaviour codes. Siemens publishes no specification, so the numbers are those on
// which open dissectors and libraries agree.

import { type EvidenceDecoders, evidenceValue } from './evidence-key.ts';
import { codeName, codeNumber, codeTable, lookUp } from './protocol-code.ts';

/** Functions of a job (ROSCTR 1) and its answer (3). */
const JOBS = codeTable('s7', [
  [0x00, 'cpu-services'],
  [0x04, 'read-variable', 'read-var'],
  [0x05, 'write-variable', 'write-var'],
  [0x1a, 'request-download'],
  [0x1b, 'download-block'],
  [0x1c, 'download-ended'],
  [0x1d, 'start-upload'],
  [0x1e, 'upload'],
  [0x1f, 'end-upload'],
  [0x28, 'plc-control', 'pi-service'],
  [0x29, 'plc-stop'],
  [0xf0, 'setup-communication'],
]);

/** Meanings of function 0x28, by the name of the program invocation service. */
const PROGRAM_INVOCATIONS: ReadonlyMap<string, string> = new Map([
  ['pprogram', 's7:plc-start-stop'],
  ['modu', 's7:copy-ram-to-rom'],
  ['garb', 's7:compress-memory'],
  ['inse', 's7:activate-block'],
  ['ins2', 's7:activate-block'],
  ['dele', 's7:delete-block'],
]);

/** Codes of the function groups of user data (ROSCTR 7), used when the subfunction is unknown. */
const GROUP_CODES: readonly string[] = [
  's7:mode-transition',
  's7:programmer-command',
  's7:cyclic-read',
  's7:block-information',
  's7:cpu-function',
  's7:password',
  's7:block-send',
  's7:time-function',
];
const PROGRAMMER = 1;
const CPU = 4;
const TIME = 7;

const SUBFUNCTIONS: ReadonlyMap<number, ReturnType<typeof codeTable>> = new Map([
  [
    PROGRAMMER,
    codeTable('s7', [
      [0x0c, 'erase-memory', 'erase'],
      [0x10, 'force-variables', 'forces'],
    ]),
  ],
  [
    CPU,
    codeTable('s7', [
      [0x01, 'read-szl'],
      [0x02, 'subscribe-messages', 'message-service'],
      [0x07, 'lock-alarms', 'alarm-8-lock'],
      [0x08, 'unlock-alarms', 'alarm-8-unlock'],
      [0x0b, 'acknowledge-alarm', 'alarm-ack'],
      [0x13, 'read-alarms', 'alarm-query'],
    ]),
  ],
  [
    TIME,
    codeTable('s7', [
      [[0x01, 0x03], 'read-clock'],
      [[0x02, 0x04], 'set-clock'],
    ]),
  ],
]);

const PLUS_FUNCTIONS = codeTable('s7', [
  [0x04bb, 'explore'],
  [0x04ca, 'create-object'],
  [0x04d4, 'delete-object'],
  [[0x04f2, 0x0542], 'write-variable', 'set-variable', 'set-multi-variables'],
  [[0x04fc, 0x054c, 0x0586], 'read-variable', 'get-variable', 'get-multi-variables'],
  [0x0524, 'get-link'],
  [0x056b, 'invoke'],
]);

const ROSCTR_USER_DATA = 7;
const HIGHEST_FUNCTION = 0xff;

export const S7_EVIDENCE: EvidenceDecoders = {
  's7.function_code': (value, { evidence }) => {
    const number = codeNumber(value);
    const group = groupOf(number, codeNumber(evidenceValue(evidence, 's7.rosctr')));
    if (group !== undefined) return decodeUserData(group, evidenceValue(evidence, 's7.subfunction'));
    const job = lookUp(JOBS, value);
    if (job === 's7:plc-control') return decodeProgramInvocation(evidenceValue(evidence, 's7.subfunction'));
    if (job !== undefined) return job;
    return number === undefined || number > HIGHEST_FUNCTION ? 's7:function' : `s7:function-${number}`;
  },
  // Some sensors log only the kind of message. Without a function it counts as an unnamed request.
  's7.rosctr': (_value, { evidence }) =>
    evidenceValue(evidence, 's7.function_code') === undefined &&
    evidenceValue(evidence, 's7.plus_function_code') === undefined
      ? 's7:function'
      : undefined,
  's7.plus_function_code': (value) => lookUp(PLUS_FUNCTIONS, value) ?? 's7:function',
};

/**
 * The function group of a user data message. Some sensors write it with the message type in the upper half (0x44 for a
 * request, 0x84 for an answer). Others write it alone, and then ROSCTR distinguishes it from a job.
 */
function groupOf(number: number | undefined, rosctr: number | undefined): number | undefined {
  if (number === undefined) return undefined;
  const type = number >> 4;
  if (type === 4 || type === 8) return number & 0x0f;
  return rosctr === ROSCTR_USER_DATA && type === 0 ? number : undefined;
}

function decodeUserData(group: number, subfunction: string | undefined): string {
  const table = SUBFUNCTIONS.get(group);
  const known = table === undefined ? undefined : lookUp(table, subfunction);
  return known ?? GROUP_CODES[group] ?? 's7:function';
}

function decodeProgramInvocation(service: string | undefined): string {
  return PROGRAM_INVOCATIONS.get(codeName(service)) ?? 's7:plc-control';
}
