// Behaviours of sessions in any protocol: connections, scans, logins, commands, files, proxy requests, exploits.

import type { SensorEvent } from '../indicator/sensor-event.ts';
import type { Protocol } from '../vocabulary.ts';
import { type EvidenceDecoders, evidenceValue } from './evidence-key.ts';

const CONTROL_PROTOCOLS: ReadonlySet<Protocol> = new Set(['MODBUS', 'DNP3', 'BACNET', 'S7', 'OPC_UA']);
/** Protocols whose session is a remote shell. */
const REMOTE_SESSIONS: ReadonlySet<Protocol> = new Set(['SSH', 'TELNET']);

/** From this many tries on it is guessing, not a mistyped password. */
const GUESSING = 3n;
/** From this many tries on the guessing is persistent. */
const PERSISTENT_GUESSING = 100n;

const CVE = /^CVE-\d{4}-\d{4,7}$/i;

const SCANS: ReadonlyMap<string, string> = new Map([
  ['ports', 'scan:addresses'],
  ['addresses', 'scan:addresses'],
  ['vulnerabilities', 'scan:vulnerabilities'],
]);

/** True for control protocols, and for every protocol of an ICS sensor, such as the web page of a PLC. */
function isControlSystem({ sensorType, protocol }: SensorEvent): boolean {
  return sensorType === 'ICS' || CONTROL_PROTOCOLS.has(protocol);
}

/** A sensor that reports single tries gives their number in `login.tries`. */
function triesOf({ count, evidence }: SensorEvent): bigint {
  const told = evidenceValue(evidence, 'login.tries');
  const tries = told !== undefined && /^\d{1,18}$/.test(told) ? BigInt(told) : 0n;
  return tries > count ? tries : count;
}

/** Not completed: as a sensor says it, and as Zeek does. */
const ATTEMPTS: ReadonlySet<string> = new Set(['attempted', 's0', 'rej', 'rstos0', 'sh']);

function connectionBehaviour(state: string, event: SensorEvent): string {
  if (ATTEMPTS.has(state.toLowerCase()))
    return isControlSystem(event) ? 'scan:control-system' : 'scan:addresses';
  return isControlSystem(event) ? 'connection:control-system' : 'connection:open';
}

/**
 * How a URL in a command names the indicator. What an attacker asks for says nothing about the place, unless a file comes
 * from it. Undefined if the event is about the attacker, who is an address and not the host of the URL.
 */
function mention(url: string, { value }: SensorEvent): string | undefined {
  const plain = value.replace(/[[\]()]/g, '');
  if (plain.includes('/')) return 'mention:url';
  const isName = /[a-z]/i.test(plain) && plain.includes('.') && !plain.includes(':');
  const host = URL.parse(url)?.hostname.replace(/[[\]]/g, '') ?? '';
  return isName || (host !== '' && host === plain) ? 'mention:host' : undefined;
}

function isYes(value: string | undefined): boolean {
  return value !== undefined && /^(?:true|yes|1)$/i.test(value);
}

/** Characters of a command line that are examined. */
const TEXT_LIMIT = 4_096;

/** Run on hostile text. Each pattern is a plain alternation without nested repetition and therefore linear. */
const PURPOSES: readonly (readonly [code: string, pattern: RegExp])[] = [
  ['command:download', /\b(?:wget|curl|tftp|ftpget|lwp-download)\b/],
  ['command:authorize-key', /\bauthorized_keys\b/],
  ['command:schedule', /\bcrontab\b|\/etc\/cron/],
  ['command:identify-system', /\b(?:uname|lscpu|nproc)\b|\/proc\/(?:cpuinfo|meminfo|version)\b/],
  ['command:clear-history', /\bHISTFILE\b|\bHISTSIZE=0|\bhistory -c\b|\.bash_history\b|\/var\/log\b/],
  ['command:mine', /\bxmrig\b|\bminerd\b|\bstratum\+(?:tcp|ssl)\b/],
  ['command:make-executable', /\bchmod (?:-R )?(?:\+x|[0-7]?777|[0-7]?755)\b/],
  ['command:disable-firewall', /\biptables -F\b|\bufw disable\b|\bsystemctl stop firewalld\b/],
];

/** The general code first, then one code for each purpose that the command line shows. */
function commandBehaviours(input: string): string[] {
  const text = input.slice(0, TEXT_LIMIT);
  const codes = ['command:shell'];
  for (const [code, pattern] of PURPOSES) if (pattern.test(text)) codes.push(code);
  return codes;
}

export const SESSION_EVIDENCE: EvidenceDecoders = {
  connection: connectionBehaviour,
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
  'command.download': (url, event) => mention(url, event) ?? 'command:download',
  'file.download': () => 'file:download',
  'file.download_failed': (url, event) => mention(url, event) ?? 'file:download-failed',
  'file.upload': () => 'file:upload',
  'proxy.request': () => 'proxy:request',
  'exploit.cve': (value, event) => {
    if (!CVE.test(value)) return undefined;
    return isControlSystem(event) ? 'exploit:control-system-vulnerability' : 'exploit:vulnerability';
  },
  'frame.malformed': (value) => (isYes(value) ? 'frame:malformed' : undefined),
};
