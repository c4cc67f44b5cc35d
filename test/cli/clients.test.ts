// `tis clients` as a process: what it prints, and what it refuses.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { tis } from '../support/command-line.ts';

test('clients are registered, listed without their secrets, and revoked', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tis-clients-'));
  const clients = (...words: string[]) => tis(['clients', ...words, '--data-dir', join(folder, 'data')]);
  try {
    const wrong = await clients(
      'create',
      '--name',
      'x',
      '--redirect-uri',
      'http://plant.example/',
      '--owner',
      'ann',
    );
    assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
    assert.match(wrong.stderr, /^tis: --redirect-uri: must be https, or http on loopback/m);
    assert.match(wrong.stderr, /^tis: --owner: must be the login of a person/m);

    const made = await clients(
      'create',
      '--name',
      'soar',
      '--confidential',
      '--scope',
      'events:write',
      '--json',
    );
    assert.deepEqual([made.code, made.stderr], [0, '']);
    const { id, secret, scopes } = JSON.parse(made.stdout) as Record<string, string>;
    assert.match(secret ?? '', /^[\w-]{43}$/);
    assert.deepEqual(scopes, ['events:write']);

    const listed = await clients('list');
    assert.match(
      listed.stdout,
      new RegExp(`^${id} +soar +confidential +events:write +AMBER_STRICT +valid`, 'm'),
    );
    assert.ok(!listed.stdout.includes(secret ?? '?'));

    const revoked = await clients('revoke', id ?? '');
    assert.deepEqual([revoked.code, revoked.stdout], [0, `${id} (soar) is revoked\n`]);
    assert.equal((await clients('revoke', 'nobody')).code, 1);
  } finally {
    await rm(folder, { recursive: true });
  }
});
