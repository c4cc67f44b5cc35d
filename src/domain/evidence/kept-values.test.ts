import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT } from '../indicator/observation.test-support.ts';
import { isCut, keptValues } from './kept-values.ts';

function kept(evidence: Record<string, string>, value = '192.0.2.10'): Record<string, string> {
  const entries = keptValues({ ...EVENT, value, evidence });
  return Object.fromEntries(entries.map(({ key, value }) => [key, value]));
}

test('the sensor and all evidence with a meaning are kept, of unknown keys too', () => {
  assert.deepEqual(
    kept({
      'modbus.function_code': '5',
      'login.user': 'root',
      'vendor.detail': 'x',
      connection: 'established',
    }),
    { 'sensor.id': 'honeypot-1', 'modbus.function_code': '5', 'login.user': 'root', 'vendor.detail': 'x' },
  );
  assert.deepEqual(kept({ 'http.path': '-', 'command.download': 'http://a.example/' }, 'http://a.example/'), {
    'sensor.id': 'honeypot-1',
  });
});

test('passwords are not kept', () => {
  assert.deepEqual(
    kept({
      'login.password': 'hunter2',
      passwd: 'hunter2',
      api_token: 'hunter2',
      'http.body': 'user=a&pass=hunter2',
      'http.path': '/login?user=a&password=hunter2&x=1#y',
      'file.download': 'ftp://anna:hunter2@files.example/a.sh?user_pwd=hunter2',
      'command.input': 'wget http://a:hunter2@files.example/; ls',
      'login.default_credentials': 'true',
    }),
    {
      'sensor.id': 'honeypot-1',
      'http.path': '/login?user=a&password=…&x=1#y',
      'file.download': 'ftp://anna:…@files.example/a.sh?user_pwd=…',
      'command.input': 'wget http://a:…@files.example/; ls',
      'login.default_credentials': 'true',
    },
  );
});

test('a password with an at-sign, of any length, or at the start of a form is not kept', () => {
  const long = 'x'.repeat(300);
  for (const [text, expected] of [
    ['http://u:hunter@2@files.example/a', 'http://u:…@files.example/a'],
    [`ftp://${long}:${long}@files.example/`, `ftp://${long}:…@files.example/`],
    ['password=hunter2&user=a', 'password=…&user=a'],
    ['http://files.example:80?to=a@b.example', 'http://files.example:80?to=a@b.example'],
  ] as const)
    assert.equal(kept({ 'http.path': text })['http.path'], expected);
});

test('a long value is cut, and looks cut', () => {
  const { 'command.input': cut = '' } = kept({
    'command.input': `${'x'.repeat(399)}\u{1f600}${'y'.repeat(600)}`,
  });
  assert.ok(isCut(cut) && cut.length === 401 && cut.endsWith('…') && cut.isWellFormed());
  const { 'command.input': whole = '' } = kept({ 'command.input': 'x'.repeat(400) });
  assert.ok(!isCut(whole));
});

test('hostile text costs no time', () => {
  const started = performance.now();
  for (const text of [
    '?'.repeat(1_024),
    `?${'pass'.repeat(255)}`,
    '://'.repeat(341),
    `?a${'[]'.repeat(500)}`,
  ])
    for (let round = 0; round < 20; round++) kept({ 'http.path': text });
  assert.ok(performance.now() - started < 5_000);
});
