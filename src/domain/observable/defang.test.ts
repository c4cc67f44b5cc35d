import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { refang } from './defang.ts';

test('undoes every form that people write', () => {
  const plainByDefanged = {
    'hxxp://evil[.]example/a[.]exe': 'http://evil.example/a.exe',
    'hXXps[:]//evil(.)example': 'https://evil.example',
    'HXXPs[://]evil{.}example': 'https://evil.example',
    'fxp://192[.]0[.]2[.]1/x': 'ftp://192.0.2.1/x',
    'evil[dot]example': 'evil.example',
    'evil(DOT)example': 'evil.example',
    'user[@]evil[.]example': 'user@evil.example',
    'user(at)evil{dot}example': 'user@evil.example',
    'user [at] evil [dot] example': 'user@evil.example',
    'evil\\.example': 'evil.example',
    'evil\\\\.example': 'evil.example',
    '2001[:]db8[:][:]1': '2001:db8::1',
    'evil[[.]]example': 'evil.example',
    '([.])': '.',
  };
  for (const [defanged, plain] of Object.entries(plainByDefanged)) assert.equal(refang(defanged), plain);
});

test('leaves ordinary text alone', () => {
  const ordinary = [
    '',
    'dot',
    'at',
    'hxxp',
    'fxp.example',
    'http://[2001:db8::1]/a[0]?b={c}',
    'at 10 (see below), a dot [1] was {seen}.',
    '..\\..\\windows',
    '\\.hidden',
    'C:\\temp\\file',
    '[evil.example]',
    'thehxxp: no scheme',
    '[dot',
    'dot]',
    '[] () {}',
  ];
  for (const text of ordinary) assert.equal(refang(text), text);
});

/** Pieces that combine into forms, incomplete forms and nested forms. */
const fragments = fc
  .array(
    fc.constantFrom(...'[](){}.@:/\\ \u00e9a', 'dot', 'at', '://', 'hxxp', 'fxp', 's:', '[.]', '(at)', '{:}'),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

test('is idempotent', () => {
  fc.assert(
    fc.property(fc.oneof(fragments, fc.string({ unit: 'binary' })), (text) => {
      const plain = refang(text);
      assert.equal(refang(plain), plain);
      assert.ok(plain.length <= text.length);
    }),
    { numRuns: 2_000 },
  );
});

test('gives back what was defanged, whichever forms were used', () => {
  const forms: Readonly<Record<string, readonly string[]>> = {
    '.': ['.', '[.]', '(.)', '{.}', '[dot]', '(dot)', ' [dot] ', '\\.', '[[.]]'],
    '@': ['@', '[@]', '[at]', '(at)', ' (at) '],
    ':': [':', '[:]'],
  };
  const address = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc
      .tuple(fc.stringMatching(/^[a-z0-9]{1,8}$/), fc.domain())
      .map(([local, domain]) => `${local}@${domain}`),
    fc.domain().map((domain) => `https://${domain}/index`),
    fc.ipV4().map((host) => `ftp://${host}/index`),
  );
  fc.assert(
    fc.property(address, fc.infiniteStream(fc.nat()), (plain, choices) => {
      const defanged = plain
        .replace(/^http/, 'hxxp')
        .replace(/^ftp/, 'fxp')
        .replace(/[.@:]/g, (char) => {
          const alternatives = forms[char] ?? [char];
          return alternatives[choices.next().value % alternatives.length] ?? char;
        });
      assert.equal(refang(defanged), plain);
    }),
  );
});

test('takes no longer than the text is long', () => {
  // A quadratic scanner would take hours for each of these, so the test would hang. Nothing is timed.
  for (const piece of ['[', ']', '[.', '\\', '\\.', '[[[[.', ' ', 'a\\', 'hxxp', '(dot', '{at} ']) {
    assert.ok(refang(piece.repeat(200_000)).length > 0);
  }
});
