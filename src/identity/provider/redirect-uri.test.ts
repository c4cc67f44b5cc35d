import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isRedirectUri } from './redirect-uri.ts';

describe('a redirect URI', () => {
  it('is https, or http on loopback', () => {
    for (const uri of [
      'https://dash.example.org/callback?tab=1',
      'https://dash.example.org',
      'http://127.0.0.1:9000/return',
      'http://localhost/return',
      'http://[::1]:8/return',
    ])
      assert.equal(isRedirectUri(uri), true, uri);
  });

  it('is nothing that a browser reads in another way, or that others can read', () => {
    for (const uri of [
      ...[
        '',
        '/callback',
        'http://dash.example.org/',
        'javascript:alert(1)',
        'data:text/html,x',
        'app://return',
      ],
      ...['https://dash.example.org/#a', 'https://u:p@dash.example.org/', 'https://u@dash.example.org/'],
      ...['https://dash.example.org/../a', 'https://DASH.example.org/', 'https://dash.example.org:443/a'],
      ...['https:/\\dash.example.org', ' https://dash.example.org/', 'http://127.0.0.1.evil.example/'],
      ...['http://localhost.evil.example/', `https://dash.example.org/${'x'.repeat(500)}`],
    ])
      assert.equal(isRedirectUri(uri), false, uri);
  });
});
