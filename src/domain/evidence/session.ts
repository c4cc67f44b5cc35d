// What happens in any session, whatever the protocol: connections, scans, logins, commands, files, tunnels, exploits.

import type { SensorEvent } from '../indicator/sensor-event.ts';
import type { Protocol } from '../vocabulary.ts';
import type { EvidenceDecoders } from './evidence-decoder.ts';
import { evidenceValue } from './evidence-key.ts';
import { commandBehaviours } from './shell-command.ts';

const CONTROL_PROTOCOLS: ReadonlySet<Protocol> = new Set(['MODBUS', 'DNP3', 'BACNET', 'S7', 'OPC_UA']);
/** Protocols in which a session is a seat at the machine. */
const REMOTE_SESSIONS: ReadonlySet<Protocol> = new Set(['SSH', 'TELNET']);

/** Tries from which it is guessing, not a mistyped password. */
const GUESSING = 3n;
/** Tries from which it is an attack in earnest. */
const PERSISTENT_GUESSING = 100n;

const CVE = /^CVE-\d{4}-\d{4,7}$/i;

const SCANS: ReadonlyMap<string, string> = new Map([
  ['ports', 'scan:addresses'],
  ['addresses', 'scan:addresses'],
  ['vulnerabilities', 'scan:vulnerabilities'],
]);

/** Whether the event is about a control system: a tank gauge or a PLC's own web page counts, by its sensor. */
function isControlSystem({ sensorType, protocol }: SensorEvent): boolean {
  return sensorType === 'ICS' || CONTROL_PROTOCOLS.has(protocol);
}

/** A sensor that reports each try by itself tells how many there were. */
function triesOf({ count, evidence }: SensorEvent): bigint {
  const told = evidenceValue(evidence, 'login.tries');
  const tries = told !== undefined && /^\d{1,18}$/.test(told) ? BigInt(told) : 0n;
  return tries > count ? tries : count;
}

function isYes(value: string | undefined): boolean {
  return value !== undefined && /^(?:true|yes|1)$/i.test(value);
}

export const SESSION_EVIDENCE: EvidenceDecoders = {
  connection: (_value, event) => (isControlSystem(event) ? 'connection:control-system' : 'connection:open'),
  'scan.type': (value) => SCANS.get(value.toLowerCase()),
  'login.result': (value, event) => {
    const result = value.toLowerCase();
    if (result === 'failed') {
      const tries = triesOf(event);
      if (tries >= PERSISTENT_GUESSING) return 'login:persistent-guessing';
      return tries >= GUESSING ? 'login:guessing' : 'login:failed';
    }
    if (result !== 'success') return undefined;
    const byDefault = isYes(evidenceValue(event.evidence, 'login.default_credentials'));
    if (!isControlSystem(event)) return byDefault ? 'login:default-credentials' : 'login:success';
    const code = byDefault ? 'login:control-system-default-credentials' : 'login:control-system';
    return REMOTE_SESSIONS.has(event.protocol) ? [code, 'login:control-system-remote-session'] : code;
  },
  'command.input': commandBehaviours,
  'command.download': () => 'command:download',
  'file.download': () => 'file:download',
  'file.download_failed': () => 'file:download-failed',
  'file.upload': () => 'file:upload',
  'proxy.request': () => 'proxy:request',
  'exploit.cve': (value, event) => {
    if (!CVE.test(value)) return undefined;
    return isControlSystem(event) ? 'exploit:control-system-vulnerability' : 'exploit:vulnerability';
  },
  'frame.malformed': (value) => (isYes(value) ? 'frame:malformed' : undefined),
};
