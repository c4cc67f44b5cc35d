// EtherNet/IP encapsulation commands and CIP services (ODVA, The CIP Networks Library) as behaviour codes.

import type { EvidenceDecoders } from './evidence-key.ts';
import { codeNumber, codeTable, lookUp } from './protocol-code.ts';

const COMMANDS = codeTable('enip', [
  [0x04, 'list-services'],
  [0x63, 'list-identity'],
  [0x64, 'list-interfaces'],
  [[0x65, 0x66], 'session', 'register-session', 'unregister-session'],
  [[0x6f, 0x70], 'send-data', 'send-rr-data', 'send-unit-data'],
]);

/**
 * Some numbers have different meanings on different objects; the table has the common one. 0x4e closes a connection. On
 * a tag it is a write, which sensors that know the object report by name.
 */
const SERVICES = codeTable('cip', [
  [[0x01, 0x03, 0x0e], 'get-attribute', 'get-attributes-all', 'get-attribute-list', 'get-attribute-single'],
  [[0x02, 0x04, 0x10], 'set-attribute', 'set-attributes-all', 'set-attribute-list', 'set-attribute-single'],
  [0x05, 'reset'],
  [0x06, 'start'],
  [0x07, 'stop'],
  [[0x08, 0x09], 'change-object', 'create', 'delete'],
  [0x0d, 'set-attribute', 'apply-attributes'],
  [0x4b, 'execute-pccc'],
  [0x4c, 'read-tag', 'read-tag-service'],
  [0x4d, 'write-tag', 'write-tag-service', 'read-modify-write-tag'],
  [[0x4e, 0x54], 'connection', 'forward-open', 'forward-close'],
  [0x52, 'unconnected-send'],
  [0x53, 'write-tag', 'write-tag-fragmented'],
  [0x55, 'list-tags', 'get-instance-attribute-list'],
]);

/** This bit marks the answer to a CIP service. */
const ANSWER = 0x80;

export const ENIP_EVIDENCE: EvidenceDecoders = {
  'enip.command': (value) => {
    const known = lookUp(COMMANDS, value);
    if (known !== undefined) return known;
    const number = codeNumber(value);
    return number === undefined || number > 0xffff ? 'enip:command' : `enip:command-${number}`;
  },
  'cip.service': (value) => {
    const number = codeNumber(value);
    if (number === undefined) return lookUp(SERVICES, value) ?? 'cip:service';
    if (number > 0xff) return 'cip:service';
    return SERVICES.byNumber.get(number % ANSWER) ?? `cip:service-${number % ANSWER}`;
  },
};
