import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { passwordFault } from './password-rules.ts';

describe('password rules', () => {
  it('accept what is long and not common, whatever characters it has', () => {
    for (const good of [
      'seven quiet turbines',
      'пароль из многих слов',
      'aaaabbbbcccd1 e',
      '✂️🧷📎🖇️ ключ tools',
      `${'x'.repeat(500)}abcd`,
    ])
      assert.equal(passwordFault(good, 'ann'), undefined, good);
  });

  it('refuse what is short, long, the login or common', () => {
    const refused: readonly (readonly [password: string, fault: RegExp])[] = [
      ['elevenchars', /12 characters at least/],
      ['🧷🧷🧷🧷🧷🧷', /12 characters at least/],
      ['abcde'.repeat(200), /at most/],
      ['abcabcabcabcabc', /too few different/],
      ['Ann@Plant.example', /must not be the login/],
      ['password2026!', /tried first/],
      ['PASSWORD!!!!!!', /tried first/],
      ['Pass-word-12345', /tried first/],
      ['123456789012', /tried first/],
      ['1q2w3e4r5t6y', /tried first/],
      ['QwertyUiop12', /tried first/],
      ['threat-indicator-service', /tried first/],
    ];
    for (const [password, fault] of refused)
      assert.match(passwordFault(password, 'ann@plant.example') ?? 'accepted', fault, password);
    assert.match(passwordFault('administrator-42', 'administrator-42') ?? '', /login/);
  });
});
