// BACnet services (ASHRAE 135, clause 21: BACnetConfirmedServiceChoice and BACnetUnconfirmedServiceChoice) as
// behaviour codes.

import { type EvidenceDecoders, evidenceValue } from './evidence-key.ts';
import { codeName, codeNumber, codeTable, lookUp, lookUpName } from './protocol-code.ts';

const CONFIRMED = codeTable('bacnet', [
  [0, 'acknowledge-alarm'],
  [[1, 31], 'notify', 'confirmed-cov-notification', 'confirmed-cov-notification-multiple'],
  [[2, 32], 'notify', 'confirmed-event-notification', 'confirmed-audit-notification'],
  [[3, 4, 29], 'read-alarms', 'get-alarm-summary', 'get-enrollment-summary', 'get-event-information'],
  [[5, 28, 30], 'subscribe', 'subscribe-cov', 'subscribe-cov-property', 'subscribe-cov-property-multiple'],
  [6, 'read-file', 'atomic-read-file'],
  [7, 'write-file', 'atomic-write-file'],
  [8, 'add-list-element'],
  [9, 'remove-list-element'],
  [10, 'create-object'],
  [11, 'delete-object'],
  [12, 'read-property'],
  [[13, 14], 'read-property-multiple', 'read-property-conditional'],
  [15, 'write-property'],
  [16, 'write-property-multiple'],
  [17, 'device-communication-control'],
  [18, 'private-transfer', 'confirmed-private-transfer'],
  [19, 'text-message', 'confirmed-text-message'],
  [20, 'reinitialize-device'],
  [[21, 22, 23], 'virtual-terminal', 'vt-open', 'vt-close', 'vt-data'],
  [[24, 25], 'authenticate', 'request-key'],
  [[26, 33], 'read-range', 'audit-log-query'],
  [27, 'life-safety-operation'],
]);

const UNCONFIRMED = codeTable('bacnet', [
  [0, 'i-am'],
  [1, 'i-have'],
  [[2, 11], 'notify', 'unconfirmed-cov-notification', 'unconfirmed-cov-notification-multiple'],
  [[3, 12], 'notify', 'unconfirmed-event-notification', 'unconfirmed-audit-notification'],
  [4, 'private-transfer', 'unconfirmed-private-transfer'],
  [5, 'text-message', 'unconfirmed-text-message'],
  [[6, 9], 'set-clock', 'time-synchronization', 'utc-time-synchronization'],
  [7, 'who-has'],
  [8, 'who-is'],
  [10, 'write-group'],
  [13, 'who-am-i'],
  [14, 'you-are'],
]);

/** Reading the device object identifies the device. Reading any other object shows the state of the plant. */
const READS: ReadonlySet<string> = new Set(['bacnet:read-property', 'bacnet:read-property-multiple']);
/** Object type 8 of BACnetObjectType. */
const DEVICE_OBJECT = 8;
const HIGHEST_SERVICE = 0xff;

export const BACNET_EVIDENCE: EvidenceDecoders = {
  // Both kinds of services use the same numbers. A number here is a confirmed service; names are unambiguous.
  'bacnet.service': (value, { evidence }) => {
    const code = lookUp(CONFIRMED, value) ?? lookUpName(UNCONFIRMED, value);
    if (code === undefined) return generic(value);
    return READS.has(code) && isDevice(evidenceValue(evidence, 'bacnet.object_type'))
      ? 'bacnet:read-device-identification'
      : code;
  },
  'bacnet.unconfirmed_service': (value) => lookUp(UNCONFIRMED, value) ?? generic(value),
};

function isDevice(objectType: string | undefined): boolean {
  return codeName(objectType) === 'device' || codeNumber(objectType) === DEVICE_OBJECT;
}

/** Abort, reject and error are answers without a service. */
function generic(value: string): string | undefined {
  const name = codeName(value);
  if (name === 'abort' || name === 'reject' || name === 'error') return undefined;
  const number = codeNumber(value);
  return number === undefined || number > HIGHEST_SERVICE ? 'bacnet:service' : `bacnet:service-${number}`;
}
