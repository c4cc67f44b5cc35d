// The table of observed behaviours: intent, severity, categories, quality as evidence and ATT&CK techniques of each.

import type { Intent } from '../indicator/indicator.ts';
import type { Severity, ThreatCategory } from '../vocabulary.ts';
import { ATTACK_TECHNIQUES } from './attack-technique.ts';
import {
  CAPTURED,
  CONNECTION,
  CONTROL,
  HOSTILE,
  LISTED,
  NAMED_HOST,
  NAMED_URL,
  NEGOTIATED,
  PACKET,
  PERSISTENT,
  PROGRAM,
  READ,
  REQUEST,
  RULE_ATTACK,
  RULE_LISTED,
  RULE_MALWARE,
  RULE_SCAN,
  UNNAMED_REQUEST,
} from './quality.ts';

export interface BehaviourRule {
  /** Such as `modbus:read-coils`. Stored with indicators and shown to people, so a code never changes its meaning. */
  readonly code: string;
  readonly intent: Intent;
  readonly severity: Severity;
  readonly categories: readonly ThreatCategory[];
  /** Quality as evidence of the categories, 0 to 1 (quality.ts). */
  readonly quality: number;
  /** Ids of ATT&CK release 19. */
  readonly techniques: readonly string[];
  readonly domain: 'ics' | 'enterprise';
}

type Row = readonly [string, Intent, Severity, readonly ThreatCategory[], number, readonly string[]];

const SCANNER = ['SCANNER'] as const;
const EXPLOIT = ['EXPLOIT'] as const;
const BRUTE_FORCE = ['BRUTE_FORCE'] as const;
const MALWARE = ['MALWARE'] as const;
const PROXY = ['PROXY'] as const;

/** Asking what a device is. */
const IDENTIFY = ['T0888'];
/** Asking whether a device is there. */
const FIND = ['T0846'];
/** Asking which points a device has. */
const POINTS = ['T0861'];
/** Asking what the process does. */
const STATE = ['T0801'];
/** A command to an output. */
const COMMAND = ['T1692.001'];
/** A command that changes a set-point. */
const SET_POINT = ['T0836', 'T1692.001'];
/** A changed setting. */
const SETTING = ['T0836'];
const RESTART = ['T0816'];
const MODE = ['T0858'];
const DOWNLOAD = ['T0843'];
const UPLOAD = ['T0845'];
const MODIFY = ['T0889'];
const ALARMS = ['T0878'];

/**
 * The intents in rising order: `discover` asks about devices, `read` about the process, `write` changes a value or an
 * output, `control` changes whether and how a device runs or reports, `program` replaces its logic, files or firmware.
 * `program`, and `control` that stops or restarts a device, are CRITICAL. An upload of the program is a `read` of
 * severity MEDIUM, since a program is worth more to an attacker than process values.
 */
const ICS: readonly Row[] = [
  ['connection:control-system', 'discover', 'LOW', SCANNER, CONNECTION, FIND],
  ['scan:control-system', 'discover', 'LOW', SCANNER, PACKET, FIND],
  ['login:control-system', 'none', 'HIGH', BRUTE_FORCE, HOSTILE, ['T0859']],
  ['login:control-system-default-credentials', 'none', 'HIGH', BRUTE_FORCE, HOSTILE, ['T0859', 'T1694.001']],
  ['login:control-system-remote-session', 'none', 'HIGH', BRUTE_FORCE, HOSTILE, ['T0886']],
  ['exploit:control-system-vulnerability', 'none', 'HIGH', EXPLOIT, HOSTILE, ['T0819']],
  ['frame:malformed', 'none', 'LOW', SCANNER, UNNAMED_REQUEST, []],

  ['modbus:function', 'discover', 'LOW', SCANNER, UNNAMED_REQUEST, []],
  ['modbus:exception', 'discover', 'LOW', SCANNER, UNNAMED_REQUEST, []],
  ['modbus:read-exception-status', 'discover', 'LOW', SCANNER, REQUEST, IDENTIFY],
  ['modbus:diagnostics', 'discover', 'LOW', SCANNER, REQUEST, IDENTIFY],
  ['modbus:return-query-data', 'discover', 'LOW', SCANNER, REQUEST, FIND],
  ['modbus:poll-controller', 'discover', 'LOW', SCANNER, REQUEST, IDENTIFY],
  ['modbus:get-comm-event-counter', 'discover', 'LOW', SCANNER, REQUEST, IDENTIFY],
  ['modbus:get-comm-event-log', 'discover', 'LOW', SCANNER, REQUEST, IDENTIFY],
  ['modbus:report-server-id', 'discover', 'LOW', SCANNER, REQUEST, IDENTIFY],
  ['modbus:report-local-address', 'discover', 'LOW', SCANNER, REQUEST, IDENTIFY],
  ['modbus:encapsulated-interface', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['modbus:canopen-general-reference', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['modbus:read-device-identification', 'discover', 'LOW', SCANNER, REQUEST, IDENTIFY],
  ['modbus:umas', 'discover', 'LOW', SCANNER, REQUEST, IDENTIFY],
  ['modbus:read-coils', 'read', 'LOW', SCANNER, READ, POINTS],
  ['modbus:read-discrete-inputs', 'read', 'LOW', SCANNER, READ, POINTS],
  ['modbus:read-holding-registers', 'read', 'LOW', SCANNER, READ, POINTS],
  ['modbus:read-input-registers', 'read', 'LOW', SCANNER, READ, POINTS],
  ['modbus:read-file-record', 'read', 'LOW', SCANNER, READ, STATE],
  ['modbus:read-fifo-queue', 'read', 'LOW', SCANNER, READ, STATE],
  ['modbus:umas-read', 'read', 'LOW', SCANNER, READ, STATE],
  ['modbus:umas-program-upload', 'read', 'MEDIUM', EXPLOIT, HOSTILE, UPLOAD],
  ['modbus:change-ascii-delimiter', 'write', 'MEDIUM', EXPLOIT, HOSTILE, SETTING],
  ['modbus:clear-counters', 'write', 'MEDIUM', EXPLOIT, HOSTILE, []],
  ['modbus:write-single-coil', 'write', 'HIGH', EXPLOIT, HOSTILE, COMMAND],
  ['modbus:write-multiple-coils', 'write', 'HIGH', EXPLOIT, HOSTILE, COMMAND],
  ['modbus:write-single-register', 'write', 'HIGH', EXPLOIT, HOSTILE, SET_POINT],
  ['modbus:write-multiple-registers', 'write', 'HIGH', EXPLOIT, HOSTILE, SET_POINT],
  ['modbus:mask-write-register', 'write', 'HIGH', EXPLOIT, HOSTILE, SET_POINT],
  ['modbus:read-write-multiple-registers', 'write', 'HIGH', EXPLOIT, HOSTILE, SET_POINT],
  ['modbus:write-file-record', 'write', 'HIGH', EXPLOIT, HOSTILE, SET_POINT],
  ['modbus:umas-write', 'write', 'HIGH', EXPLOIT, HOSTILE, SET_POINT],
  ['modbus:restart-communications', 'control', 'HIGH', EXPLOIT, CONTROL, RESTART],
  ['modbus:reset-communications', 'control', 'HIGH', EXPLOIT, CONTROL, RESTART],
  ['modbus:force-listen-only', 'control', 'HIGH', EXPLOIT, CONTROL, ['T0814']],
  ['modbus:umas-start-controller', 'control', 'CRITICAL', EXPLOIT, CONTROL, MODE],
  ['modbus:umas-stop-controller', 'control', 'CRITICAL', EXPLOIT, CONTROL, RESTART],
  ['modbus:umas-program-download', 'program', 'CRITICAL', EXPLOIT, PROGRAM, DOWNLOAD],
  ['modbus:program-controller', 'program', 'CRITICAL', EXPLOIT, PROGRAM, DOWNLOAD],
  ['modbus:firmware-replacement', 'program', 'CRITICAL', EXPLOIT, PROGRAM, ['T1693.001']],

  ['dnp3:function', 'discover', 'LOW', SCANNER, UNNAMED_REQUEST, []],
  ['dnp3:confirm', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['dnp3:delay-measurement', 'discover', 'LOW', SCANNER, REQUEST, FIND],
  ['dnp3:record-current-time', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['dnp3:authenticate', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['dnp3:authenticate-file', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['dnp3:close-file', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['dnp3:abort-file', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['dnp3:read', 'read', 'LOW', SCANNER, READ, STATE],
  ['dnp3:get-file-information', 'read', 'LOW', SCANNER, READ, IDENTIFY],
  ['dnp3:open-file', 'read', 'MEDIUM', EXPLOIT, HOSTILE, UPLOAD],
  ['dnp3:freeze', 'write', 'MEDIUM', EXPLOIT, HOSTILE, COMMAND],
  ['dnp3:freeze-and-clear', 'write', 'HIGH', EXPLOIT, HOSTILE, COMMAND],
  ['dnp3:assign-class', 'write', 'MEDIUM', EXPLOIT, HOSTILE, SETTING],
  ['dnp3:write', 'write', 'HIGH', EXPLOIT, HOSTILE, SET_POINT],
  ['dnp3:select', 'write', 'HIGH', EXPLOIT, HOSTILE, COMMAND],
  ['dnp3:operate', 'write', 'HIGH', EXPLOIT, HOSTILE, COMMAND],
  ['dnp3:direct-operate', 'write', 'HIGH', EXPLOIT, HOSTILE, COMMAND],
  ['dnp3:delete-file', 'write', 'HIGH', EXPLOIT, HOSTILE, ['T0809']],
  ['dnp3:enable-unsolicited', 'control', 'MEDIUM', EXPLOIT, CONTROL, SETTING],
  ['dnp3:disable-unsolicited', 'control', 'HIGH', EXPLOIT, CONTROL, ['T1691.002']],
  ['dnp3:initialize-data', 'control', 'HIGH', EXPLOIT, CONTROL, SETTING],
  ['dnp3:save-configuration', 'control', 'HIGH', EXPLOIT, CONTROL, SETTING],
  ['dnp3:initialize-application', 'control', 'HIGH', EXPLOIT, CONTROL, MODE],
  ['dnp3:start-application', 'control', 'HIGH', EXPLOIT, CONTROL, MODE],
  ['dnp3:stop-application', 'control', 'CRITICAL', EXPLOIT, CONTROL, ['T0881']],
  ['dnp3:warm-restart', 'control', 'CRITICAL', EXPLOIT, CONTROL, RESTART],
  ['dnp3:cold-restart', 'control', 'CRITICAL', EXPLOIT, CONTROL, RESTART],
  ['dnp3:activate-configuration', 'program', 'CRITICAL', EXPLOIT, PROGRAM, MODIFY],

  ['s7:function', 'discover', 'LOW', SCANNER, UNNAMED_REQUEST, []],
  ['s7:cpu-services', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['s7:mode-transition', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['s7:cpu-function', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['s7:block-send', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['s7:time-function', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['s7:setup-communication', 'discover', 'LOW', SCANNER, REQUEST, FIND],
  ['s7:read-szl', 'discover', 'LOW', SCANNER, NEGOTIATED, IDENTIFY],
  ['s7:read-clock', 'discover', 'LOW', SCANNER, NEGOTIATED, IDENTIFY],
  ['s7:block-information', 'discover', 'LOW', SCANNER, NEGOTIATED, IDENTIFY],
  ['s7:explore', 'discover', 'LOW', SCANNER, NEGOTIATED, IDENTIFY],
  ['s7:get-link', 'discover', 'LOW', SCANNER, NEGOTIATED, IDENTIFY],
  ['s7:create-object', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['s7:delete-object', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['s7:password', 'discover', 'MEDIUM', BRUTE_FORCE, REQUEST, []],
  ['s7:read-variable', 'read', 'LOW', SCANNER, READ, STATE],
  ['s7:cyclic-read', 'read', 'LOW', SCANNER, READ, STATE],
  ['s7:subscribe-messages', 'read', 'LOW', SCANNER, READ, STATE],
  ['s7:read-alarms', 'read', 'LOW', SCANNER, READ, STATE],
  ['s7:programmer-command', 'read', 'LOW', SCANNER, READ, STATE],
  ['s7:start-upload', 'read', 'MEDIUM', EXPLOIT, HOSTILE, UPLOAD],
  ['s7:upload', 'read', 'MEDIUM', EXPLOIT, HOSTILE, UPLOAD],
  ['s7:end-upload', 'read', 'MEDIUM', EXPLOIT, HOSTILE, UPLOAD],
  ['s7:set-clock', 'write', 'MEDIUM', EXPLOIT, HOSTILE, SETTING],
  ['s7:write-variable', 'write', 'HIGH', EXPLOIT, HOSTILE, SET_POINT],
  ['s7:force-variables', 'write', 'HIGH', EXPLOIT, HOSTILE, COMMAND],
  ['s7:acknowledge-alarm', 'control', 'HIGH', EXPLOIT, CONTROL, ALARMS],
  ['s7:lock-alarms', 'control', 'HIGH', EXPLOIT, CONTROL, ALARMS],
  ['s7:unlock-alarms', 'control', 'MEDIUM', EXPLOIT, CONTROL, []],
  ['s7:invoke', 'control', 'HIGH', EXPLOIT, CONTROL, COMMAND],
  ['s7:compress-memory', 'control', 'HIGH', EXPLOIT, CONTROL, []],
  ['s7:plc-control', 'control', 'CRITICAL', EXPLOIT, CONTROL, MODE],
  ['s7:plc-start-stop', 'control', 'CRITICAL', EXPLOIT, CONTROL, MODE],
  ['s7:plc-stop', 'control', 'CRITICAL', EXPLOIT, CONTROL, RESTART],
  ['s7:request-download', 'program', 'CRITICAL', EXPLOIT, PROGRAM, DOWNLOAD],
  ['s7:download-block', 'program', 'CRITICAL', EXPLOIT, PROGRAM, DOWNLOAD],
  ['s7:download-ended', 'program', 'CRITICAL', EXPLOIT, PROGRAM, DOWNLOAD],
  ['s7:copy-ram-to-rom', 'program', 'CRITICAL', EXPLOIT, PROGRAM, MODIFY],
  ['s7:activate-block', 'program', 'CRITICAL', EXPLOIT, PROGRAM, MODIFY],
  ['s7:delete-block', 'program', 'CRITICAL', EXPLOIT, PROGRAM, MODIFY],
  ['s7:erase-memory', 'program', 'CRITICAL', EXPLOIT, PROGRAM, MODIFY],

  ['bacnet:service', 'discover', 'LOW', SCANNER, UNNAMED_REQUEST, []],
  ['bacnet:who-is', 'discover', 'LOW', SCANNER, REQUEST, FIND],
  ['bacnet:who-has', 'discover', 'LOW', SCANNER, REQUEST, FIND],
  ['bacnet:who-am-i', 'discover', 'LOW', SCANNER, REQUEST, FIND],
  ['bacnet:you-are', 'discover', 'LOW', SCANNER, REQUEST, FIND],
  ['bacnet:i-am', 'discover', 'LOW', SCANNER, REQUEST, FIND],
  ['bacnet:i-have', 'discover', 'LOW', SCANNER, REQUEST, FIND],
  ['bacnet:notify', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['bacnet:authenticate', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['bacnet:private-transfer', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['bacnet:text-message', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['bacnet:read-device-identification', 'discover', 'LOW', SCANNER, REQUEST, IDENTIFY],
  ['bacnet:read-property', 'read', 'LOW', SCANNER, READ, POINTS],
  ['bacnet:read-property-multiple', 'read', 'LOW', SCANNER, READ, POINTS],
  ['bacnet:read-range', 'read', 'LOW', SCANNER, READ, STATE],
  ['bacnet:read-alarms', 'read', 'LOW', SCANNER, READ, STATE],
  ['bacnet:subscribe', 'read', 'LOW', SCANNER, READ, STATE],
  ['bacnet:read-file', 'read', 'MEDIUM', EXPLOIT, HOSTILE, UPLOAD],
  ['bacnet:set-clock', 'write', 'MEDIUM', EXPLOIT, HOSTILE, SETTING],
  ['bacnet:add-list-element', 'write', 'HIGH', EXPLOIT, HOSTILE, SETTING],
  ['bacnet:remove-list-element', 'write', 'HIGH', EXPLOIT, HOSTILE, SETTING],
  ['bacnet:create-object', 'write', 'HIGH', EXPLOIT, HOSTILE, SETTING],
  ['bacnet:delete-object', 'write', 'HIGH', EXPLOIT, HOSTILE, SETTING],
  ['bacnet:write-property', 'write', 'HIGH', EXPLOIT, HOSTILE, SET_POINT],
  ['bacnet:write-property-multiple', 'write', 'HIGH', EXPLOIT, HOSTILE, SET_POINT],
  ['bacnet:write-group', 'write', 'HIGH', EXPLOIT, HOSTILE, SET_POINT],
  ['bacnet:acknowledge-alarm', 'control', 'HIGH', EXPLOIT, CONTROL, ALARMS],
  ['bacnet:life-safety-operation', 'control', 'HIGH', EXPLOIT, CONTROL, ALARMS],
  ['bacnet:virtual-terminal', 'control', 'HIGH', EXPLOIT, CONTROL, ['T0886']],
  ['bacnet:device-communication-control', 'control', 'HIGH', EXPLOIT, CONTROL, ['T0881']],
  ['bacnet:reinitialize-device', 'control', 'CRITICAL', EXPLOIT, CONTROL, RESTART],
  ['bacnet:write-file', 'program', 'CRITICAL', EXPLOIT, PROGRAM, DOWNLOAD],

  ['opcua:service', 'discover', 'LOW', SCANNER, UNNAMED_REQUEST, []],
  ['opcua:secure-channel', 'discover', 'LOW', SCANNER, REQUEST, FIND],
  ['opcua:session', 'discover', 'LOW', SCANNER, REQUEST, FIND],
  ['opcua:activate-session', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['opcua:register-server', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['opcua:find-servers', 'discover', 'LOW', SCANNER, NEGOTIATED, IDENTIFY],
  ['opcua:get-endpoints', 'discover', 'LOW', SCANNER, NEGOTIATED, IDENTIFY],
  ['opcua:browse', 'discover', 'LOW', SCANNER, NEGOTIATED, ['T0861', 'T0888']],
  ['opcua:read', 'read', 'LOW', SCANNER, READ, STATE],
  ['opcua:history-read', 'read', 'LOW', SCANNER, READ, STATE],
  ['opcua:subscribe', 'read', 'LOW', SCANNER, READ, STATE],
  ['opcua:write', 'write', 'HIGH', EXPLOIT, HOSTILE, SET_POINT],
  ['opcua:history-update', 'write', 'HIGH', EXPLOIT, HOSTILE, SETTING],
  ['opcua:add-nodes', 'write', 'HIGH', EXPLOIT, HOSTILE, SETTING],
  ['opcua:delete-nodes', 'write', 'HIGH', EXPLOIT, HOSTILE, SETTING],
  ['opcua:call', 'control', 'HIGH', EXPLOIT, CONTROL, COMMAND],

  ['enip:command', 'discover', 'LOW', SCANNER, UNNAMED_REQUEST, []],
  ['enip:list-services', 'discover', 'LOW', SCANNER, REQUEST, IDENTIFY],
  ['enip:list-identity', 'discover', 'LOW', SCANNER, REQUEST, IDENTIFY],
  ['enip:list-interfaces', 'discover', 'LOW', SCANNER, REQUEST, IDENTIFY],
  ['enip:session', 'discover', 'LOW', SCANNER, REQUEST, FIND],
  ['enip:send-data', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['cip:service', 'discover', 'LOW', SCANNER, UNNAMED_REQUEST, []],
  ['cip:connection', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['cip:unconnected-send', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['cip:execute-pccc', 'discover', 'LOW', SCANNER, REQUEST, []],
  ['cip:get-attribute', 'discover', 'LOW', SCANNER, REQUEST, IDENTIFY],
  ['cip:list-tags', 'read', 'LOW', SCANNER, READ, POINTS],
  ['cip:read-tag', 'read', 'LOW', SCANNER, READ, STATE],
  ['cip:set-attribute', 'write', 'HIGH', EXPLOIT, HOSTILE, SET_POINT],
  ['cip:write-tag', 'write', 'HIGH', EXPLOIT, HOSTILE, SET_POINT],
  ['cip:change-object', 'write', 'HIGH', EXPLOIT, HOSTILE, SETTING],
  ['cip:start', 'control', 'CRITICAL', EXPLOIT, CONTROL, MODE],
  ['cip:stop', 'control', 'CRITICAL', EXPLOIT, CONTROL, MODE],
  ['cip:reset', 'control', 'CRITICAL', EXPLOIT, CONTROL, RESTART],

  ['iec104:type', 'discover', 'LOW', SCANNER, UNNAMED_REQUEST, []],
  ['iec104:test', 'discover', 'LOW', SCANNER, REQUEST, FIND],
  ['iec104:interrogation', 'read', 'LOW', SCANNER, READ, POINTS],
  ['iec104:read', 'read', 'LOW', SCANNER, READ, STATE],
  ['iec104:file-transfer', 'read', 'MEDIUM', EXPLOIT, HOSTILE, UPLOAD],
  ['iec104:set-clock', 'write', 'MEDIUM', EXPLOIT, HOSTILE, SETTING],
  ['iec104:set-parameter', 'write', 'HIGH', EXPLOIT, HOSTILE, SETTING],
  ['iec104:set-point', 'write', 'HIGH', EXPLOIT, HOSTILE, SET_POINT],
  ['iec104:command', 'write', 'HIGH', EXPLOIT, HOSTILE, COMMAND],
  ['iec104:reset-process', 'control', 'CRITICAL', EXPLOIT, CONTROL, RESTART],

  ['snmp:get', 'discover', 'LOW', SCANNER, REQUEST, IDENTIFY],
  ['snmp:set', 'write', 'HIGH', EXPLOIT, HOSTILE, SETTING],
  ['atg:command', 'discover', 'LOW', SCANNER, UNNAMED_REQUEST, []],
  ['atg:read', 'read', 'LOW', SCANNER, READ, STATE],
  ['atg:set', 'write', 'HIGH', EXPLOIT, HOSTILE, ['T0838']],
];

/** Outside control systems the intent is always `none`. */
const ENTERPRISE: readonly Row[] = [
  ['connection:open', 'none', 'LOW', SCANNER, CONNECTION, ['T1595.001']],
  ['scan:addresses', 'none', 'LOW', SCANNER, PACKET, ['T1595.001']],
  ['scan:vulnerabilities', 'none', 'LOW', SCANNER, REQUEST, ['T1595.002']],
  ['snmp:walk', 'none', 'LOW', SCANNER, REQUEST, ['T1602.001']],
  ['login:failed', 'none', 'LOW', BRUTE_FORCE, UNNAMED_REQUEST, ['T1110']],
  ['login:guessing', 'none', 'LOW', BRUTE_FORCE, REQUEST, ['T1110.001']],
  ['login:persistent-guessing', 'none', 'MEDIUM', BRUTE_FORCE, PERSISTENT, ['T1110.001']],
  ['login:success', 'none', 'MEDIUM', BRUTE_FORCE, HOSTILE, ['T1078']],
  ['login:default-credentials', 'none', 'MEDIUM', BRUTE_FORCE, HOSTILE, ['T1078.001']],
  ['command:shell', 'none', 'MEDIUM', BRUTE_FORCE, CONTROL, ['T1059.004']],
  ['command:download', 'none', 'HIGH', MALWARE, CONTROL, ['T1105']],
  ['command:authorize-key', 'none', 'HIGH', EXPLOIT, CONTROL, ['T1098.004']],
  ['command:schedule', 'none', 'HIGH', EXPLOIT, CONTROL, ['T1053.003']],
  ['command:identify-system', 'none', 'MEDIUM', BRUTE_FORCE, CONTROL, ['T1082']],
  ['command:clear-history', 'none', 'MEDIUM', EXPLOIT, CONTROL, ['T1070.003']],
  ['command:mine', 'none', 'HIGH', MALWARE, CONTROL, ['T1496.001']],
  ['command:make-executable', 'none', 'MEDIUM', MALWARE, CONTROL, ['T1222.002']],
  ['command:disable-firewall', 'none', 'HIGH', EXPLOIT, CONTROL, ['T1562.004']],
  // What an attacker named, such as `wget google.com`. A file that came from it has evidence of its own.
  ['mention:url', 'none', 'MEDIUM', MALWARE, NAMED_URL, ['T1105']],
  ['mention:host', 'none', 'LOW', MALWARE, NAMED_HOST, []],
  ['file:download', 'none', 'HIGH', MALWARE, CAPTURED, ['T1105']],
  ['file:download-failed', 'none', 'HIGH', MALWARE, HOSTILE, ['T1105']],
  ['file:upload', 'none', 'HIGH', MALWARE, CAPTURED, ['T1105']],
  // Who asks a sensor to relay looks for an open proxy, and is none.
  ['proxy:request', 'none', 'LOW', SCANNER, REQUEST, ['T1090']],
  ['http:request', 'none', 'LOW', SCANNER, CONNECTION, ['T1595.002']],
  ['http:exploit', 'none', 'HIGH', EXPLOIT, HOSTILE, ['T1190']],
  ['http:create-container', 'none', 'HIGH', EXPLOIT, HOSTILE, ['T1610']],
  ['http:run-in-container', 'none', 'HIGH', EXPLOIT, HOSTILE, ['T1609']],
  ['exploit:vulnerability', 'none', 'HIGH', EXPLOIT, HOSTILE, ['T1190']],

  // Alerts of detection rules. The event carries the severity that the author of the rule chose.
  ['alert:scan', 'none', 'INFO', SCANNER, RULE_SCAN, ['T1595.002']],
  ['alert:brute-force', 'none', 'INFO', BRUTE_FORCE, RULE_ATTACK, ['T1110']],
  ['alert:exploit', 'none', 'INFO', EXPLOIT, RULE_ATTACK, ['T1190']],
  ['alert:denial-of-service', 'none', 'INFO', EXPLOIT, RULE_SCAN, []],
  ['alert:malware', 'none', 'INFO', MALWARE, RULE_MALWARE, []],
  ['alert:adware', 'none', 'INFO', MALWARE, RULE_SCAN, []],
  ['alert:command-and-control', 'none', 'INFO', ['COMMAND_AND_CONTROL'], RULE_MALWARE, ['T1071']],
  ['alert:phishing', 'none', 'INFO', ['PHISHING'], RULE_ATTACK, ['T1566']],
  ['alert:proxy', 'none', 'INFO', PROXY, RULE_LISTED, ['T1090']],
  ['alert:tor-exit', 'none', 'INFO', ['TOR_EXIT_NODE'], RULE_LISTED, ['T1090.003']],
  ['alert:listed', 'none', 'INFO', SCANNER, RULE_LISTED, []],

  // Entries of feeds that have only a category.
  ['listing:command-and-control', 'none', 'HIGH', ['COMMAND_AND_CONTROL'], LISTED, ['T1071']],
  ['listing:phishing', 'none', 'MEDIUM', ['PHISHING'], LISTED, ['T1566']],
  ['listing:tor-exit', 'none', 'INFO', ['TOR_EXIT_NODE'], LISTED, ['T1090.003']],
];

function rulesOf(rows: readonly Row[], domain: BehaviourRule['domain']): [string, BehaviourRule][] {
  return rows.map(([code, intent, severity, categories, quality, techniques]) => [
    code,
    { code, intent, severity, categories, quality, techniques, domain },
  ]);
}

/** One rule for each technique that a detection rule can name, such as `technique:t1059-004`. */
const NAMED_TECHNIQUES = ATTACK_TECHNIQUES.map(({ id, domain }): [string, BehaviourRule] => {
  const code = techniqueCode(id);
  return [
    code,
    {
      code,
      intent: 'none',
      severity: 'INFO',
      categories: [],
      quality: RULE_LISTED,
      techniques: [id],
      domain,
    },
  ];
});

export function techniqueCode(id: string): string {
  return `technique:${id.toLowerCase().replace('.', '-')}`;
}

/** All rules by code. */
export const BEHAVIOUR_RULES: ReadonlyMap<string, BehaviourRule> = new Map([
  ...rulesOf(ICS, 'ics'),
  ...rulesOf(ENTERPRISE, 'enterprise'),
  ...NAMED_TECHNIQUES,
]);

/** Numbered codes such as `modbus:function-99` have the rule of `modbus:function`. */
const UNNAMED = /^([a-z0-9]+:(?:function|service|command|type))-\d{1,5}$/;

/** The rule of a behaviour code; undefined for an unknown code. */
export function behaviourRule(code: string): BehaviourRule | undefined {
  const rule = BEHAVIOUR_RULES.get(code);
  if (rule !== undefined) return rule;
  const family = UNNAMED.exec(code)?.[1];
  return family === undefined ? undefined : BEHAVIOUR_RULES.get(family);
}
