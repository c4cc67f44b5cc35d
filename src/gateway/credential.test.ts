import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bearerToken, MAX_CREDENTIAL_LENGTH, taxiiToken } from './credential.ts';
import { generateKey } from './key-format.ts';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('bearerToken', () => {
  it('reads the token, whatever the case of the scheme', () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      assert.equal(bearerToken(`${scheme} abc.d-e_f~g`), 'abc.d-e_f~g');
    assert.equal(bearerToken('Bearer   abc=='), 'abc==');
  });

  it('takes no other scheme', () => {
    for (const header of ['Token abc', basic('abc:'), 'Digest abc', 'abc', 'DPoP abc']) {
      assert.equal(bearerToken(header), undefined);
    }
  });

  it('takes nothing malformed', () => {
    for (const header of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Bearerabc',
      'Bearer a b',
      'Bearer abc, Bearer def',
      'Bearer abc\n',
      'Bearer "abc"',
      'Bearer a\u0000',
      ' Bearer abc',
      'Bearer äbc',
    ]) {
      assert.equal(bearerToken(header), undefined, header);
    }
  });

  it('takes nothing over 8 KiB', () => {
    const longest = 'a'.repeat(MAX_CREDENTIAL_LENGTH - 7);
    assert.equal(bearerToken(`Bearer ${longest}`), longest);
    assert.equal(bearerToken(`Bearer ${longest}a`), undefined);
    assert.equal(bearerToken(`Bearer ${'a'.repeat(1_000_000)}`), undefined);
  });
});

describe('taxiiToken', () => {
  it('reads all four forms of one key', () => {
    for (const header of ['Bearer KEY', 'Token KEY', basic('any:KEY'), basic('KEY:')]) {
      assert.equal(taxiiToken(header), 'KEY');
      assert.equal(taxiiToken(header.replace(/^\w+/, (scheme) => scheme.toLowerCase())), 'KEY');
      assert.equal(taxiiToken(header.replace(/^\w+/, (scheme) => scheme.toUpperCase())), 'KEY');
    }
  });

  it('takes the user name of Basic if it is a key and the password is none', () => {
    const [key, other] = [generateKey('client'), generateKey('client')];
    for (const password of ['', 'x', 'a:b', 'api', 'a.b.c', key.slice(0, -1)]) {
      assert.equal(taxiiToken(basic(`${key}:${password}`)), key, password);
    }
    assert.equal(taxiiToken(basic(`${other}:${key}`)), key);
    assert.equal(taxiiToken(basic(`${other.slice(0, -1)}:x`)), 'x');
  });

  it('cuts Basic at the first colon', () => {
    assert.equal(taxiiToken(basic('user:a:b')), 'a:b');
    assert.equal(taxiiToken(basic(':KEY')), 'KEY');
  });

  it('takes no Basic without a key', () => {
    for (const header of [basic(''), basic(':'), basic('KEY'), 'Basic ', 'Basic ****', 'Basic a b']) {
      assert.equal(taxiiToken(header), undefined);
    }
  });

  it('survives any header', () => {
    const schemes = fc.constantFrom('', 'Bearer ', 'Basic ', 'Token ');
    fc.assert(
      fc.property(schemes, fc.string({ unit: 'binary-ascii' }), (scheme, rest) => {
        bearerToken(scheme + rest);
        taxiiToken(scheme + rest);
        taxiiToken(basic(rest));
      }),
    );
  });
});
