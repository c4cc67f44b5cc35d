import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sessionCookieName, sessionHashOf, setCookie } from './session-cookie.ts';
import { isSameOrigin } from './session-credential.ts';
import { createSiteOf } from './site.ts';

const plain = createSiteOf({ publicUrl: undefined, tls: false });

describe('the site of a request', () => {
  it('is this machine without TLS, and anything else with it', () => {
    for (const host of [
      'localhost:8080',
      'LOCALHOST',
      '127.0.0.1:1',
      '127.8.9.1',
      '[::1]:8080',
      'tis.localhost',
    ])
      assert.equal(plain(host)?.secure, false, host);
    for (const host of [
      'tis.example.org',
      '10.0.0.5:8080',
      '[2001:db8::1]',
      'localhost.example.org',
      '127.example',
    ])
      assert.equal(plain(host)?.secure, true, host);
    assert.equal(createSiteOf({ publicUrl: undefined, tls: true })('localhost:8443')?.secure, true);
  });

  it('is the public URL where there is one', () => {
    const siteOf = createSiteOf({ publicUrl: 'https://tis.example.org/x/', tls: false });
    const site = { origins: ['https://tis.example.org'], hostname: 'tis.example.org', secure: true };
    for (const host of ['127.0.0.1:8080', 'evil.example', undefined]) assert.deepEqual(siteOf(host), site);
  });

  it('is none for a Host header that names no host', () => {
    for (const host of [undefined, '', 'a b', 'a/b', 'a@b', 'a?b', 'a#b', 'a\\b', 'a%2fb', '[::1', 'x:99999'])
      assert.equal(plain(host), undefined, host);
  });

  it('has the origins that its pages can have', () => {
    const from = (origin: string, host: string) => isSameOrigin({ origin, host }, plain);
    assert.ok(from('http://localhost:8080', 'localhost:8080'));
    assert.ok(from('https://tis.example.org', 'tis.example.org'));
    assert.ok(!from('http://localhost:8081', 'localhost:8080'));
    assert.ok(!from('http://127.0.0.1:8080', 'localhost:8080'));
    assert.ok(!from('https://tis.example.org.evil.example', 'tis.example.org'));
    assert.ok(!isSameOrigin({ host: 'localhost' }, plain));
    assert.ok(
      !isSameOrigin({ host: 'localhost', origin: 'http://localhost', 'sec-fetch-site': 'none' }, plain),
    );
  });
});

describe('the cookie of a session', () => {
  const [secure, insecure] = [{ secure: true }, { secure: false }];
  const token = 'a'.repeat(43);

  it('is bound to the host and to TLS, except on this machine', () => {
    assert.equal(
      setCookie(sessionCookieName(secure), token, 9, secure),
      `__Host-tis-session=${token}; Path=/; Max-Age=9; HttpOnly; SameSite=Strict; Secure`,
    );
    assert.equal(
      setCookie(sessionCookieName(insecure), token, 9, insecure),
      `tis-session=${token}; Path=/; Max-Age=9; HttpOnly; SameSite=Strict`,
    );
  });

  it('is read under its own name only, and once', () => {
    assert.match(sessionHashOf(`x=1; tis-session=${token};y=2`, insecure) ?? '', /^[0-9a-f]{64}$/);
    for (const header of [
      undefined,
      '',
      `__Host-tis-session=${token}`,
      `x-tis-session=${token}`,
      `tis-session=${token}; tis-session=${token}`,
      `tis-session=${token}a`,
      `tis-session="${token}"`,
      'tis-session=',
    ])
      assert.equal(sessionHashOf(header, insecure), undefined, header);
    assert.equal(sessionHashOf(`tis-session=${token}`, secure), undefined);
  });
});
