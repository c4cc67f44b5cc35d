import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isName, namesIn, occursWhole } from './whole-part.ts';

test('an observable occurs as the value, or as a whole host, address or part of a path', () => {
  for (const [value, whole] of [
    ['1.1.1.1', '1.1.1.1'],
    ['http://1.1.1.1/', '1.1.1.1'],
    ['tcp://1.1.1.1:23', '1.1.1.1'],
    ['1.1.1.1/32', '1.1.1.1'],
    ['http://[2001:db8::1]:80/', '2001:db8::1'],
    ['ann@evil.example', 'evil.example'],
    ['http://user:pw@evil.example/', 'evil.example'],
    ['http://h.example/bins/bins.sh?x', 'bins.sh'],
    ['http://h.example/?u=http%3a%2f%2fevil.example%2fx', 'evil.example'],
    ['http://h.example/a;wget+http://1.1.1.1/x', '1.1.1.1'],
    ['http://h.example/?to=ann@evil.example', 'ann@evil.example'],
    [`http://h.example/${'a'.repeat(64)}.bin/${'a'.repeat(64)}`, 'a'.repeat(64)],
    ['https://evil.example/x', '://evil.example/x'],
    ['http://1.1.1.1:8080/x', '1.1.1.1:8080'],
    ['http://[2001:db8::1]:8080/', '[2001:db8::1]:8080'],
  ] as const)
    assert.ok(occursWhole(value, whole), `${whole} in ${value}`);
});

test('an observable does not occur inside a longer one', () => {
  for (const [value, whole] of [
    ['11.1.1.1', '1.1.1.1'],
    ['1.1.1.11', '1.1.1.1'],
    ['http://1.1.1.1.example/', '1.1.1.1'],
    ['http://www.evil.example/', 'evil.example'],
    ['http://not-evil.example/', 'evil.example'],
    ['http://evil.example.org/', 'evil.example'],
    ['ann@mail.evil.example', 'evil.example'],
    ['joann@evil.example', 'ann@evil.example'],
    ['http://h.example/?to=jo+ann@evil.example', 'ann@evil.example'],
    ['http://[2001:db8::1:1]/', '2001:db8::1'],
    ['2001:db8::1:1', '2001:db8::1'],
    ['http://h.example/%41evil.example', 'evil.example'],
    ['http://h.example/evil.example%2eorg', 'evil.example'],
    ['http://h.example/%c3%a4evil.example', 'evil.example'],
    ['http://evil.example/xy', 'http://evil.example/x'],
    ['http://evil.example/xy', '://evil.example/x'],
    ['http://h.example/://evil.example/x', '://evil.example/x'],
    ['evil.example', '://evil.example/'],
    ['http://11.1.1.1:8080/', '1.1.1.1:8080'],
    ['http://1.1.1.1:8080/', '1.1.1.1:80'],
  ] as const)
    assert.ok(!occursWhole(value, whole), `${whole} in ${value}`);
});

test('every name that occurs as a whole is among the names', () => {
  const part = fc.constantFrom(
    'a',
    'b.c',
    '1.1.1.1',
    '.',
    '-',
    '/',
    '://',
    '@',
    ':',
    '%2f',
    '%41',
    '%',
    'é',
    '?',
    '_',
  );
  const namePart = fc.constantFrom('a', 'b.c', '1.1.1.1', '-', '_', '.');
  const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
  let wholes = 0;
  const property = fc.property(text, fc.array(namePart, { maxLength: 2 }), (value, parts) => {
    const name = parts.join('');
    if (!isName(name) || !occursWhole(value, name)) return;
    wholes += 1;
    assert.ok(namesIn(value).includes(name), `${name} in ${value}`);
  });
  fc.assert(property, { numRuns: 12_000, seed: 20_260_314 });
  assert.ok(wholes > 100, `${wholes}`);
});
