import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isAppPath } from './app-path.ts';

describe('a path of the web application', () => {
  it('is below /app/', () => {
    for (const path of ['/app/', '/app/queue', '/app/?q=198.51.100.7%3A502', '/app/indicators/7#evidence'])
      assert.equal(isAppPath(path), true, path);
  });

  it('is nothing else', () => {
    for (const path of [
      ...[
        '',
        '/',
        '/app',
        '/apple/',
        '/v1/indicators',
        'app/',
        'https://evil.example/app/',
        '//evil.example/app/',
      ],
      ...[
        '/\\evil.example/app/',
        '/app/\\evil.example',
        '/app//evil.example',
        '/app/../v1',
        '/app/%2e%2e/v1',
      ],
      ...['/app/\r\nset-cookie: a=b', '/app/\u0000', '/app/\u202e', `/app/${'x'.repeat(1_100)}`],
    ])
      assert.equal(isAppPath(path), false, JSON.stringify(path));
  });

  it('always resolves to the own origin', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      'app',
      '@',
      ':',
      'evil.example',
      '?',
      '#',
      '\t',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const path = `/app/${pieces.join('')}`;
        if (!isAppPath(path)) return;
        const { origin, pathname } = new URL(path, 'https://tis.example.org/auth/callback');
        assert.equal(origin, 'https://tis.example.org');
        assert.ok(pathname.startsWith('/app/'), pathname);
      }),
    );
  });
});
