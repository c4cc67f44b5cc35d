// OPC UA services (OPC 10000-4) as behaviour codes. The numbers are the node ids of the requests in the binary encoding
// (OPC 10000-6, NodeIds.csv).

import type { EvidenceDecoders } from './evidence-key.ts';
import { codeNumber, codeTable, lookUp } from './protocol-code.ts';

const SERVICES = codeTable('opcua', [
  [[422, 12208], 'find-servers', 'find-servers-on-network'],
  [428, 'get-endpoints'],
  [[437, 12211], 'register-server', 'register-server-2'],
  [[446, 452], 'secure-channel', 'open-secure-channel', 'close-secure-channel'],
  [[461, 473, 479], 'session', 'create-session', 'close-session', 'cancel'],
  [467, 'activate-session'],
  [488, 'add-nodes'],
  [494, 'add-nodes', 'add-references'],
  [500, 'delete-nodes'],
  [506, 'delete-nodes', 'delete-references'],
  [[527, 533], 'browse', 'browse-next'],
  [[554, 560, 566], 'browse', 'translate-browse-paths-to-node-ids', 'register-nodes', 'unregister-nodes'],
  [[615, 621], 'browse', 'query-first', 'query-next'],
  [631, 'read'],
  [664, 'history-read'],
  [673, 'write'],
  [700, 'history-update'],
  [712, 'call'],
  [
    [751, 763, 781],
    'subscribe',
    'create-monitored-items',
    'modify-monitored-items',
    'delete-monitored-items',
  ],
  [[769, 775, 799], 'subscribe', 'set-monitoring-mode', 'set-triggering', 'set-publishing-mode'],
  [[787, 793, 847], 'subscribe', 'create-subscription', 'modify-subscription', 'delete-subscriptions'],
  [[826, 832, 841], 'subscribe', 'publish', 'republish', 'transfer-subscriptions'],
]);

export const OPC_UA_EVIDENCE: EvidenceDecoders = {
  'opcua.service': (value) => {
    const known = lookUp(SERVICES, value);
    if (known !== undefined) return known;
    const number = codeNumber(value);
    return number === undefined || number > 0xffff ? 'opcua:service' : `opcua:service-${number}`;
  },
};
