// Rules of the maintenance of a store: migration, backup, restore and check.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MINUTE } from '../../domain/instant.ts';
import type { Stores } from '../stores.ts';
import { everything, NOW, writeEverything } from './fixtures.ts';
import type { Rule } from './rule.ts';

const clock = () => NOW;

export function describeMaintenance(rule: Rule): void {
  rule('a migration creates a store, and changes nothing when it is repeated', async ({ empty }) => {
    const driver = empty();
    await driver.maintenance.migrate(clock);
    const stores = await driver.openStores(clock);
    await stores.write((tx) => writeEverything(tx, 'a'));
    await driver.maintenance.migrate(clock);
    assert.deepEqual(await everything(stores), ['a']);
    await stores.close();
    const usage = await driver.openUsageReader();
    assert.deepEqual(await usage.holders(), []);
    await usage.close();
  });

  rule('a driver tells whether its store exists, and creates nothing by that', async ({ driver, empty }) => {
    assert.equal(await driver.exists(), true);
    const other = empty();
    assert.deepEqual([await other.exists(), await other.exists()], [false, false]);
    await assert.rejects(other.openUsageReader(), { name: 'ServiceError', code: 'unavailable' });
    await other.maintenance.migrate(clock);
    assert.equal(await other.exists(), true);
  });

  rule('nobody else may read a new store, nor a restored one', async ({ driver, empty, folder }) => {
    assert.deepEqual(await driver.exposed(), []);
    await driver.maintenance.backUp(join(folder, 'backup'), clock);
    const other = empty();
    assert.deepEqual(await other.exposed(), []);
    await other.maintenance.restore(join(folder, 'backup'));
    assert.deepEqual(await other.exposed(), []);
  });

  rule(
    'a restored backup is the same installation, as of the backup',
    async ({ driver, stores, empty, folder }) => {
      await stores.write((tx) => writeEverything(tx, 'before'));
      const shares: number[] = [];
      const backup = join(folder, 'backup');
      const made = await driver.maintenance.backUp(backup, clock, (share) => shares.push(share));
      assert.equal(Date.parse(made.createdAt), NOW);
      assert.equal(shares.at(-1), 1);
      await stores.write((tx) => writeEverything(tx, 'after'));
      const other = empty();
      assert.deepEqual((await other.maintenance.restore(backup)).files, made.files);
      const restored = await other.openStores(clock);
      assert.deepEqual(restored.installation, stores.installation);
      assert.deepEqual(await everything(restored), ['before']);
      await restored.write((tx) => writeEverything(tx, 'later'));
      assert.deepEqual(await everything(restored), ['before', 'later']);
      await restored.close();
      assert.deepEqual(await everything(stores), ['after', 'before']);
    },
  );

  rule(
    'a restore ends what belongs to the original: leases of its workers, what opens it to people',
    async ({ driver, stores, empty, folder }) => {
      await stores.write((tx) => writeEverything(tx, 'a'));
      assert.equal((await stores.write((tx) => tx.claim(1, MINUTE, NOW))).length, 1);
      await giveAccess(stores);
      await driver.maintenance.backUp(join(folder, 'backup'), clock);
      const other = empty();
      await other.maintenance.restore(join(folder, 'backup'));
      const restored = await other.openStores(clock);
      assert.equal((await restored.write((tx) => tx.claim(1, MINUTE, NOW))).length, 1);
      assert.deepEqual(await restored.sessions.ofPerson('p'), []);
      assert.equal(await restored.links.byHash('bb'), undefined);
      assert.deepEqual(await restored.openidKeys.list(), []);
      await restored.close();
      // No reader of a backup signs tokens that the running service accepts.
      assert.equal((await stores.openidKeys.list()).length, 1);
      for (const name of await readdir(join(folder, 'backup')))
        assert.ok(!(await readFile(join(folder, 'backup', name))).includes(PRIVATE), name);
    },
  );

  rule('a backup and a restore overwrite nothing', async ({ driver, stores, folder }) => {
    await stores.write((tx) => writeEverything(tx, 'a'));
    const backup = join(folder, 'backup');
    await driver.maintenance.backUp(backup, clock);
    const refused = { name: 'ServiceError', code: 'failed_precondition' };
    await assert.rejects(driver.maintenance.backUp(backup, clock), refused);
    await assert.rejects(driver.maintenance.restore(backup), refused);
    await assert.rejects(driver.maintenance.restore(join(folder, 'nowhere')), refused);
    assert.deepEqual(await everything(stores), ['a']);
  });

  rule(
    'a check counts what an intact store holds, and finds no problem',
    async ({ driver, stores, empty }) => {
      for (const key of ['a', 'b', 'c']) await stores.write((tx) => writeEverything(tx, key));
      const { indicators, feedVersions, jobs } = await driver.maintenance.check();
      assert.deepEqual(
        { indicators, feedVersions, jobs },
        { indicators: 3, feedVersions: 3, jobs: { pending: 3, dead: 0 } },
      );
      await assert.rejects(empty().maintenance.check(), {
        name: 'ServiceError',
        code: 'failed_precondition',
      });
    },
  );
}

const PRIVATE = 'the private part of a signing key';

/** A session, a link and a key that signs tokens. */
async function giveAccess(stores: Stores): Promise<void> {
  const times = { createdAt: NOW, expiresAt: NOW + MINUTE };
  await stores.write(async (tx) => {
    const session = {
      id: 's',
      personId: 'p',
      method: 'link',
      lastUsedAt: NOW,
      address: '',
      agent: '',
    } as const;
    await tx.openidKeys.add({ id: 'k', createdAt: NOW, signsFrom: NOW, jwk: { d: PRIVATE } });
    await tx.sessions.add({ ...session, ...times }, 'aa');
    await tx.links.put({ personId: 'p', purpose: 'reset', ...times }, 'bb');
  });
}
