// What is escaped, what stays readable, and that JSON keeps its meaning.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { printable, printableLines } from './printable.ts';

/** Every code unit can occur, and the dangerous ones often do. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code)),
      fc.integer({ min: 0x2000, max: 0x206f }).map((code) => String.fromCharCode(code)),
      fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code)),
    ),
  )
  .map((parts) => parts.join(''));

/** C0, DEL and C1, bidi marks, embeddings and isolates, separators, surrogates on their own, the byte order mark. */
const DANGEROUS: readonly (readonly [first: number, last: number])[] = [
  [0x0, 0x1f],
  [0x7f, 0x9f],
  [0x61c, 0x61c],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2066, 0x2069],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
];

function assertHarmless(text: string): void {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const isDangerous = DANGEROUS.some(([first, last]) => code >= first && code <= last);
    assert.ok(!isDangerous, JSON.stringify([text, character]));
  }
}

test('no text leaves a character that a terminal or a reader would obey', () => {
  fc.assert(
    fc.property(text, (text) => {
      assertHarmless(printable(text));
      assertHarmless(printableLines(text).replaceAll('\n', ''));
    }),
  );
});

test('a text is escaped once: to print it again changes nothing', () => {
  fc.assert(
    fc.property(text, (text) => {
      assert.equal(printable(printable(text)), printable(text));
      assert.equal(printableLines(printable(text)), printable(text));
    }),
  );
});

test('JSON keeps its meaning', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), text, (value, text) => {
      const given = { value, text, [text]: value };
      const json = JSON.stringify(given, null, 2);
      assert.deepEqual(JSON.parse(printableLines(json)), JSON.parse(json));
    }),
  );
});

test('each escape names its character', () => {
  const cases = [
    ['\u001b[31mred', '\\u001b[31mred'],
    ['a\r\nb\tc\u007f', 'a\\r\\nb\\tc\\u007f'],
    ['\u009b31m\u0085', '\\u009b31m\\u0085'],
    ['\u202egnp.exe\u2069\u200f', '\\u202egnp.exe\\u2069\\u200f'],
    ['\u2028\u2029\ufeff\u00ad', '\\u2028\\u2029\\ufeff\\u00ad'],
    ['\u{e0041}', '\\udb40\\udc41'],
    ['\ud800', '\\ud800'],
  ] as const;
  for (const [given, shown] of cases) assert.equal(printable(given), shown);
  assert.equal(printableLines('a\n\u001bb\n'), 'a\n\\u001bb\n');
});

test('ordinary text of any language stays as it is', () => {
  const texts = [
    'pump "7" \\ 100 % – …',
    'Überwachung, café, naïve',
    'Ελληνικά русский 中文 日本語 한국어',
    'שלום עולם',
    'می‌خواهم مرحبا',
    'क्‍ष हिन्दी',
    '👩‍🚒 🇪🇺 ☎️',
    'e\u0301 a\u0308',
    '\u00a0\u3000',
  ];
  for (const text of texts) {
    assert.equal(printable(text), text);
    assert.equal(printableLines(text), text);
  }
});
