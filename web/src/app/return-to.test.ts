import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathAfterSignIn } from './return-to.ts';

test('only pages of the application come after signing in', () => {
  assert.equal(pathAfterSignIn('/app/queue?x=//y'), '/queue?x=//y');
  assert.equal(pathAfterSignIn('/app/'), '/');
  for (const wanted of [
    null,
    '',
    '//evil.example/app/',
    'https://evil.example/app/',
    '/app//evil.example',
    '/app/\\evil.example',
    '/app/\t/evil.example',
    '/appx/',
    '/app/sign-in?returnTo=/app/sign-in',
    '/app/welcome',
    'javascript:alert(1)',
  ]) {
    assert.equal(pathAfterSignIn(wanted), '/', String(wanted));
  }
});
