import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalUrl } from './canonical-url.ts';
import { refang } from './defang.ts';

const PUBLIC_ONLY = { acceptPrivateAddresses: false };

function reasonOf(text: string): string {
  const result = canonicalUrl(text, PUBLIC_ONLY);
  return typeof result === 'string' ? 'accepted' : result.reason;
}

test('writes URLs by the URL Standard, without the fragment', () => {
  const canonical = {
    'HTTP://Evil.Example:80/a/../b#top': 'http://evil.example/b',
    'https://evil.example': 'https://evil.example/',
    'http://user:secret@evil.example/': 'http://user:secret@evil.example/',
    'http://evil.example./x': 'http://evil.example/x',
    'http://münchen.example/ü?q=ü': 'http://xn--mnchen-3ya.example/%C3%BC?q=%C3%BC',
    'http://3221225985/': 'http://192.0.2.1/',
    'http://[2001:DB8:0::1]:8080/': 'http://[2001:db8::1]:8080/',
    'http://[::ffff:192.0.2.1]/': 'http://192.0.2.1/',
    'http://evil.example/New Folder/a.exe': 'http://evil.example/New%20Folder/a.exe',
  };
  for (const [text, expected] of Object.entries(canonical)) {
    assert.equal(canonicalUrl(text, PUBLIC_ONLY), expected);
  }
});

test('canonicalises the host of schemes that browsers do not know', () => {
  const canonical = {
    'tftp://Evil.Example:69/a': 'tftp://evil.example:69/a',
    'ldap://192.0.2.1:1389/Exploit': 'ldap://192.0.2.1:1389/Exploit',
    'sftp://münchen.example/x': 'sftp://xn--mnchen-3ya.example/x',
    'stratum+tcp://pool.example:3333': 'stratum+tcp://pool.example:3333',
    'rmi://[2001:DB8::0:1]/x': 'rmi://[2001:db8::1]/x',
  };
  for (const [text, expected] of Object.entries(canonical)) {
    assert.equal(canonicalUrl(text, PUBLIC_ONLY), expected);
  }
  assert.equal(reasonOf('tftp://0x7f.1/x'), 'INVALID_URL');
  assert.equal(reasonOf('tftp://e%zz/x'), 'INVALID_URL');
});

test('takes a missing scheme for http when there is a path', () => {
  assert.equal(canonicalUrl('evil.example/x', PUBLIC_ONLY), 'http://evil.example/x');
  assert.equal(
    canonicalUrl('192.0.2.1:8080/x?u=http://a/', PUBLIC_ONLY),
    'http://192.0.2.1:8080/x?u=http://a/',
  );
  for (const text of ['evil.example', '/index.php', '//evil.example/x', 'and/or']) {
    assert.equal(reasonOf(text), 'INVALID_URL', text);
  }
});

test('refuses hosts that are not public, however they are written', () => {
  const reasons = {
    'http://10.0.0.1/': 'PRIVATE_ADDRESS',
    'http://0xa.1/': 'PRIVATE_ADDRESS',
    'http://2130706433/': 'LOOPBACK_ADDRESS',
    'http://0177.1/': 'LOOPBACK_ADDRESS',
    'http://[::1]/': 'LOOPBACK_ADDRESS',
    'http://[::ffff:7f00:1]/': 'LOOPBACK_ADDRESS',
    'http://１２７.0.0.1/': 'LOOPBACK_ADDRESS',
    'http://127.0.0.1./': 'LOOPBACK_ADDRESS',
    'http://good.example@10.0.0.1/': 'PRIVATE_ADDRESS',
    'ldap://[fe80::1]/': 'LINK_LOCAL_ADDRESS',
    'http://localhost:8080/': 'LOCAL_NAME',
    'http://plc.local/': 'LOCAL_NAME',
    'sftp://PLC%2elocal/': 'LOCAL_NAME',
  };
  for (const [text, reason] of Object.entries(reasons)) assert.equal(reasonOf(text), reason, text);
});

test('refuses other schemes, broken hosts, control characters and what is too long', () => {
  const reasons = {
    'javascript://evil.example/%0aalert(1)': 'UNSUPPORTED_SCHEME',
    'file:///etc/passwd': 'UNSUPPORTED_SCHEME',
    'http://webserver/x': 'INVALID_URL',
    'http:///': 'INVALID_URL',
    'http://evil.example:99999/': 'INVALID_URL',
    'http://evil.example/\nhttp://other.example/': 'INVALID_URL',
    [`http://evil.example/${'a'.repeat(2_029)}`]: 'VALUE_TOO_LONG',
    [`http://evil.example/${'ü'.repeat(400)}`]: 'VALUE_TOO_LONG',
    [`http://evil.example/${'a'.repeat(2_028)}`]: 'accepted',
    [`http://evil.example/#${'a'.repeat(2_100)}`]: 'accepted',
  };
  for (const [text, reason] of Object.entries(reasons))
    assert.equal(reasonOf(text), reason, text.slice(0, 60));
});

test('the canonical URL is a fixed point and holds no defanged form', () => {
  assert.equal(canonicalUrl("http://evil.example/?q='\\.x", PUBLIC_ONLY), 'http://evil.example/?q=%27.x');
  // Removing dot segments creates a defanged form, and undoing it creates new dot segments.
  assert.equal(canonicalUrl('http://evil.example/[:/.//]..', PUBLIC_ONLY), 'http://evil.example/:/');
  const tail = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '/',
          '//',
          '.',
          '..',
          '\\',
          '[',
          ']',
          '{',
          '}',
          ':',
          '@',
          '?',
          '&',
          "'",
          '"',
          '%',
          '%2e',
          'dot',
          'hxxp:',
          ' ',
        ),
        fc.string({ unit: 'grapheme', maxLength: 3 }),
      ),
      { maxLength: 20 },
    )
    .map((parts) => parts.join(''));
  const scheme = fc.constantFrom('http', 'https', 'ftp', 'wss', 'ldap', 'tftp', 'stratum+tcp');
  const host = fc.oneof(
    fc.domain(),
    fc.constantFrom('192.0.2.1', '[2001:db8::1]', 'Evil.Example.', 'u:p@evil.example:8080'),
  );
  fc.assert(
    fc.property(scheme, host, tail, (before, middle, after) => {
      const url = canonicalUrl(refang(`${before}://${middle}${after}`), PUBLIC_ONLY);
      if (typeof url !== 'string') return;
      assert.equal(refang(url), url);
      assert.equal(canonicalUrl(url, PUBLIC_ONLY), url);
      assert.ok(!url.includes('#'));
    }),
    { numRuns: 2_000 },
  );
});
