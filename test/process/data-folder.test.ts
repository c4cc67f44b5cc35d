// The warning about a data folder that other users may read.

import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serve } from '../support/command-line.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly exposed?: readonly { readonly path: string; readonly mode: string }[];
}

test('a start names each path that other users may read', {
  skip: process.platform === 'win32',
}, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tis-rights-'));
  t.after(() => rm(folder, { recursive: true }));
  const dataDir = join(folder, 'data');

  async function warnings(): Promise<readonly Line[]> {
    const { process: served } = await serve(dataDir, { env: { TIS_LOG_LEVEL: 'warn' } });
    const { code, stderr } = await served.kill('SIGTERM');
    assert.equal(code, 0, stderr);
    return stderr
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  }

  assert.deepEqual(await warnings(), [], 'the service makes it for its owner alone');

  await chmod(dataDir, 0o755);
  await chmod(join(dataDir, 'usage.db'), 0o640);
  const [warning, ...others] = await warnings();
  assert.deepEqual(others, []);
  assert.equal(warning?.level, 40);
  assert.match(warning?.msg ?? '', /chmod go=/);
  const exposed = new Map(warning?.exposed?.map(({ path, mode }) => [path, mode]));
  assert.equal(exposed.get(dataDir), '755');
  assert.equal(exposed.get(join(dataDir, 'usage.db')), '640');
  assert.equal(exposed.has(join(dataDir, 'tis.db')), false);

  await chmod(dataDir, 0o700);
  await chmod(join(dataDir, 'usage.db'), 0o600);
  assert.deepEqual(await warnings(), []);
});
