import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { defang } from './defang.ts';
import { cutText, piecesOf, visibleText } from './hostile-text.ts';
import { decodePunycode } from './punycode.ts';
import { relativeTime } from './relative-time.ts';
import { hiddenLetters, mixedScripts } from './scripts-of-text.ts';

test('what cannot be seen becomes an escape, and all else stays', () => {
  assert.equal(visibleText('a\u202Eb\u200Bc\u0000'), 'aU+202EbU+200BcU+0000');
  assert.equal(visibleText('a\u00a0b\ud800c\u{e0041}'), 'aU+00A0bU+D800cU+E0041');
  assert.equal(visibleText('日本 العربية é'), '日本 العربية é');
  assert.equal(visibleText('e\u0301\u0302\u0303\u0304'), 'e\u0301\u0302\u0303U+0304');
  assert.deepEqual(piecesOf('a[.]b'), [
    { kind: 'text', text: 'a' },
    { kind: 'bracket', text: '[.]' },
    { kind: 'text', text: 'b' },
  ]);
  assert.equal(piecesOf('a\nb\tc', true).length, 1);
});

/** Every code point, half of them of the first plane. */
const anyCharacter = fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0, max: 0x10ffff }));

test('no text has anything invisible left', () => {
  fc.assert(
    fc.property(fc.array(anyCharacter), (characters) => {
      const text = String.fromCodePoint(...characters);
      assert.doesNotMatch(visibleText(text), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }),
  );
});

test('a cut never parts a pair of surrogates', () => {
  assert.deepEqual(cutText('ab😀cd', 3), { text: 'ab', isCut: true });
  assert.deepEqual(cutText('ab😀', 4), { text: 'ab😀', isCut: false });
});

test('values are defanged by type', () => {
  assert.equal(defang('INDICATOR_TYPE_IPV4', '198.51.100.7'), '198[.]51[.]100[.]7');
  assert.equal(defang('INDICATOR_TYPE_EMAIL', 'a@b.example'), 'a[@]b[.]example');
  assert.equal(
    defang('INDICATOR_TYPE_URL', 'https://a.example/x.php?u=http://b.example/c.d'),
    'hxxps://a[.]example/x.php?u=hxxp://b[.]example/c.d',
  );
  assert.equal(defang('INDICATOR_TYPE_URL', 'ftp://a.example/'), 'ftp[:]//a[.]example/');
  assert.equal(defang('INDICATOR_TYPE_IPV6', '2001:db8::7'), '2001:db8::7');
});

test('letters that look like others are named', () => {
  assert.deepEqual(mixedScripts('p\u0430ypal'), ['Latin', 'Cyrillic']);
  assert.equal(mixedScripts('paypal привет'), undefined);
  assert.equal(decodePunycode('mnchen-3ya'), 'münchen');
  assert.equal(decodePunycode('!!'), undefined);
  assert.deepEqual(hiddenLetters('xn--80ak6aa92e.example'), {
    domain: 'аррӏе.example',
    scripts: ['Latin', 'Cyrillic'],
  });
  assert.equal(hiddenLetters('example.com'), undefined);
});

test('punycode is decoded as browsers encode it', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abcéßжяλ日本中'), minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(letters, (label) => {
      const host = new URL(`http://${label}.example`).hostname;
      const expected = label.normalize('NFC');
      assert.equal(hiddenLetters(host)?.domain ?? host, `${expected}.example`);
    }),
  );
});

test('times are told as people do', () => {
  const now = Date.parse('2026-11-22T12:00:00Z');
  assert.equal(relativeTime('2026-11-22T11:59:40Z', now), 'just now');
  assert.equal(relativeTime('2026-11-22T09:00:00Z', now), '3h ago');
  assert.equal(relativeTime('2026-11-27T12:00:00Z', now), 'in 5d');
});
