// What an address did, in words. Each phrase is the rest of a sentence that begins with the subject.

import { type BehaviourRule, behaviourRule } from '../../../domain/evidence/behaviour-rules.ts';
import { INTENTS, type Intent } from '../../../domain/indicator/indicator.ts';
import { numberOf, SEVERITIES } from '../../../domain/vocabulary.ts';
import { listed } from './extent.ts';

/** Acts that are told. The worst come first, and the rest adds little. */
const TOLD = 3;

const ASKED = 'asked controllers what they are';
const READ_OUTPUTS = 'read inputs and outputs';
const READ_VALUES = 'read process values';
const SWITCHED = 'switched outputs';
const SET = 'changed set-points';
const OPERATED = 'operated outputs';
const RESTARTED = 'restarted a device';
const COPIED = 'copied the program out of a controller';
const LOADED = 'loaded a program into a controller';
const CHANGED = 'changed the program of a controller';
const STARTED = 'started or stopped a controller';
const SILENCED = 'silenced a device';

/** By code. */
const PHRASES: Readonly<Record<string, string>> = {
  'connection:control-system': 'connected to control systems',
  'scan:control-system': 'sent lone packets to control systems',
  'login:control-system': 'logged in to a control system',
  'login:control-system-default-credentials': 'logged in to a control system with default credentials',
  'login:control-system-remote-session': 'opened a remote session on a control system',
  'exploit:control-system-vulnerability': 'attacked a vulnerability of a control system',
  'frame:malformed': 'sent malformed frames',
  'modbus:exception': 'sent requests that devices refused',
  'modbus:read-device-identification': ASKED,
  'modbus:report-server-id': ASKED,
  'modbus:read-coils': READ_OUTPUTS,
  'modbus:read-discrete-inputs': READ_OUTPUTS,
  'modbus:read-holding-registers': READ_VALUES,
  'modbus:read-input-registers': READ_VALUES,
  'modbus:write-single-coil': SWITCHED,
  'modbus:write-multiple-coils': SWITCHED,
  'modbus:write-single-register': SET,
  'modbus:write-multiple-registers': SET,
  'modbus:mask-write-register': SET,
  'modbus:read-write-multiple-registers': SET,
  'modbus:restart-communications': RESTARTED,
  'modbus:force-listen-only': SILENCED,
  'modbus:umas-stop-controller': 'stopped a controller',
  'modbus:umas-start-controller': 'started a controller',
  'modbus:umas-program-upload': COPIED,
  'modbus:umas-program-download': LOADED,
  'dnp3:read': READ_VALUES,
  'dnp3:select': OPERATED,
  'dnp3:operate': OPERATED,
  'dnp3:direct-operate': OPERATED,
  'dnp3:cold-restart': RESTARTED,
  'dnp3:warm-restart': RESTARTED,
  'dnp3:stop-application': 'stopped an application of a device',
  'dnp3:disable-unsolicited': SILENCED,
  's7:setup-communication': 'opened S7 sessions',
  's7:read-szl': ASKED,
  's7:read-variable': READ_VALUES,
  's7:write-variable': 'changed process values',
  's7:plc-stop': 'stopped a controller',
  's7:plc-start-stop': STARTED,
  's7:plc-control': STARTED,
  's7:start-upload': COPIED,
  's7:upload': COPIED,
  's7:end-upload': COPIED,
  's7:request-download': LOADED,
  's7:download-block': LOADED,
  's7:download-ended': LOADED,
  's7:copy-ram-to-rom': CHANGED,
  's7:activate-block': CHANGED,
  's7:delete-block': CHANGED,
  's7:erase-memory': 'erased the memory of a controller',
  'bacnet:who-is': 'asked which devices are there',
  'bacnet:read-device-identification': ASKED,
  'bacnet:read-property': READ_VALUES,
  'bacnet:write-property': 'changed values of a device',
  'bacnet:reinitialize-device': RESTARTED,
  'bacnet:device-communication-control': SILENCED,
  'enip:list-identity': ASKED,
  'snmp:get': 'asked for settings',
  'snmp:set': 'changed settings',

  'connection:open': 'opened connections',
  'scan:addresses': 'sent lone packets',
  'scan:vulnerabilities': 'looked for vulnerabilities',
  'snmp:walk': 'read out the settings of a device',
  'login:failed': 'failed to log in',
  'login:guessing': 'guessed passwords',
  'login:persistent-guessing': 'guessed passwords persistently',
  'login:success': 'logged in with a guessed password',
  'login:default-credentials': 'logged in with default credentials',
  'command:shell': 'ran shell commands',
  'command:download': 'had the shell load a file',
  'command:authorize-key': 'left an SSH key of its own',
  'command:schedule': 'scheduled a job',
  'command:identify-system': 'examined the system',
  'command:clear-history': 'removed its traces',
  'command:mine': 'started a miner',
  'command:make-executable': 'made a file executable',
  'command:disable-firewall': 'turned the firewall off',
  'mention:url': 'was named in a command that loads a file',
  'mention:host': 'was named in a command that loads a file',
  'file:download': 'had a file loaded that was captured',
  'file:download-failed': 'tried to load a file',
  'file:upload': 'brought along a file that was captured',
  'proxy:request': 'asked a sensor to relay traffic',
  'http:request': 'sent web requests',
  'http:exploit': 'attacked a web application',
  'http:create-container': 'created a container',
  'http:run-in-container': 'ran a command in a container',
  'exploit:vulnerability': 'attacked a known vulnerability',
  'alert:scan': 'scanned',
  'alert:brute-force': 'guessed passwords',
  'alert:exploit': 'carried out an attack',
  'alert:denial-of-service': 'flooded a service',
  'alert:malware': 'carried malware',
  'alert:adware': 'was contacted by adware',
  'alert:command-and-control': 'controlled malware',
  'alert:phishing': 'served phishing',
  'alert:proxy': 'relayed traffic of others',
  'alert:tor-exit': 'is a Tor exit',
  'alert:listed': 'is on a list of bad addresses',
  'listing:command-and-control': 'is listed as command-and-control',
  'listing:phishing': 'is listed as phishing',
  'listing:tor-exit': 'is listed as a Tor exit',
};

/** What a URL, a name or a file has to do with an act. */
const PASSIVE: Readonly<Record<string, string>> = {
  'mention:url': 'was to be loaded by commands that attackers typed',
  'mention:host': 'stands in commands that attackers typed to load a file',
  'file:download': 'served a file that attackers had a sensor load',
  'file:download-failed': 'was to be loaded by attackers, in vain',
  'alert:scan': 'was part of a scan',
  'alert:brute-force': 'was part of password guessing',
  'alert:exploit': 'was part of an attack',
  'alert:adware': 'was used by adware',
  'alert:command-and-control': 'was used to control malware',
};
/** What attackers did with a file. */
const OF_FILES: Readonly<Record<string, string>> = {
  'file:download': 'was loaded by attackers and captured',
  'file:upload': 'was brought along by attackers and captured',
  'alert:malware': 'is malware',
};

/** Where a code has no phrase: what its intent means, and its name. */
const BY_INTENT: Readonly<Record<Intent, string>> = {
  none: 'was active',
  discover: 'examined devices',
  read: 'read from devices',
  write: 'wrote to a device',
  control: 'interfered with a device',
  program: 'changed the program of a device',
};

const PROTOCOLS: readonly (readonly [RegExp, string])[] = [
  [/^modbus\b/, 'Modbus'],
  [/^(dnp3|s7|cip|atg|snmp)\b/, ''],
  [/^bacnet\b/, 'BACnet'],
  [/^opcua\b/, 'OPC UA'],
  [/^enip\b/, 'EtherNet/IP'],
  [/^iec104\b/, 'IEC 104'],
];

/** Whether the indicator acts itself, is what others use, or is a file. */
export type Role = 'actor' | 'means' | 'file';

/** What goes without saying beside certain other acts. */
const IMPLIED: readonly (readonly [code: string, by: RegExp])[] = [
  ['connection:open', /^(?!connection:)/],
  ['connection:control-system', /^(?!connection:)/],
  ['http:request', /^(?:http:|alert:|exploit:)(?!request)/],
  ['login:failed', /^login:(?!failed)/],
  ['login:guessing', /^login:persistent/],
  ['command:shell', /^command:(?!shell)/],
  ['command:download', /^file:download$/],
  ['mention:url', /^file:/],
  ['mention:host', /^file:/],
  ['alert:exploit', /^http:exploit/],
  ['modbus:exception', /^modbus:(?!exception)/],
  ['s7:setup-communication', /^s7:(?!setup)/],
];

/** Codes of behaviours that are worth telling, the worst first. */
export function worstFirst(behaviours: readonly string[]): readonly string[] {
  if (behaviours.length < 2) return behaviours;
  const told = behaviours.filter(
    (code) =>
      !IMPLIED.some(([implied, by]) => implied === code && behaviours.some((other) => by.test(other))),
  );
  return told.sort((a, b) => rank(b) - rank(a));
}

/** Numbered functions of a protocol without a name, such as `modbus:function-66`. */
const NUMBERED = /^([a-z0-9]+):(?:function|service|command|type)-(\d{1,5})$/;
const NUMBERS_TOLD = 3;

/** The worst acts in words, each once. */
export function actsOf(ordered: readonly string[], role: Role): readonly string[] {
  const phrases = new Set<string>();
  for (const code of ordered) {
    const protocol = NUMBERED.exec(code)?.[1];
    phrases.add(protocol === undefined ? phraseOf(code, role) : functionsOf(protocol, ordered));
    if (phrases.size === TOLD) break;
  }
  return [...phrases];
}

/** Such as `tried the Modbus functions 0, 49 and 66`. */
function functionsOf(protocol: string, ordered: readonly string[]): string {
  const numbers = ordered
    .flatMap((code) => {
      const [, of, number] = NUMBERED.exec(code) ?? [];
      return of === protocol && number !== undefined ? [Number(number)] : [];
    })
    .sort((a, b) => a - b);
  const more = numbers.length > NUMBERS_TOLD;
  const shown = numbers.slice(0, NUMBERS_TOLD).map(String);
  const named = listed(more ? [...shown, 'others'] : shown);
  return `tried the ${nameOf(protocol)} function${numbers.length === 1 ? '' : 's'} ${named}`;
}

function phraseOf(code: string, role: Role): string {
  const special = role === 'file' ? OF_FILES[code] : role === 'means' ? PASSIVE[code] : undefined;
  const phrase = special ?? PHRASES[code];
  if (phrase !== undefined) return phrase;
  if (code.startsWith('technique:')) return 'matched detection rules';
  return `${BY_INTENT[behaviourRule(code)?.intent ?? 'none']} (${nameOf(code)})`;
}

/** `modbus:function-66` becomes `Modbus function 66`. The codes are constants of the service. */
function nameOf(code: string): string {
  const words = code.replace(/[:-]/g, ' ');
  const found = PROTOCOLS.find(([pattern]) => pattern.test(words));
  if (found === undefined) return words;
  const [pattern, name] = found;
  return words.replace(pattern, (protocol) => (name === '' ? protocol.toUpperCase() : name));
}

/** By severity and intent. Of equal acts, the one that is better evidence: it says more. */
function rank(code: string): number {
  const rule: BehaviourRule | undefined = behaviourRule(code);
  if (rule === undefined) return -1;
  const step = numberOf(SEVERITIES, rule.severity) * INTENTS.length + INTENTS.indexOf(rule.intent);
  return step + rule.quality;
}
