// The never-block list (TIS_NEVER_BLOCK): what is on it stays out of the feed and is shown as what it is. A change of the
// list takes effect on what is stored.

import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { SERVICE_GLOBAL_FEED } from '../domain/collection.ts';
import { ConfigError } from '../variables.ts';
import { type Installation, MarkedWorld, makeInstallation } from './marked-world.test-support.ts';
import { loadNeverBlock } from './never-block.ts';

const FEED = `/taxii2/collections/${SERVICE_GLOBAL_FEED.id}/objects/`;
const OWN = '192.0.2.9';
const OTHER = '203.0.113.7';

interface StixObject {
  readonly type: string;
  readonly name?: string;
  readonly valid_until?: string;
  readonly labels?: readonly string[];
  readonly modified: string;
}

describe('the never-block list', () => {
  let installation: Installation;
  let world: MarkedWorld;
  const ids = new Map<string, string>();

  before(async () => {
    installation = await makeInstallation();
    world = await MarkedWorld.open(installation);
    await report(OWN, OTHER);
  });
  after(async () => {
    await world.close();
    await rm(installation.folder, { recursive: true });
  });

  let events = 0;
  async function report(...values: readonly string[]): Promise<void> {
    const batch = values.map((value) => ({
      eventId: `event-${events++}`,
      sensorId: 'plc-1',
      sensorType: 'SENSOR_TYPE_ICS',
      protocol: 'PROTOCOL_MODBUS',
      value,
      observedAt: new Date().toISOString(),
      evidence: { 'modbus.function_code': '5' },
    }));
    const { results } = JSON.parse((await world.report('GREEN', batch)).body);
    for (const [index, value] of values.entries()) ids.set(value, results[index].indicatorId);
  }
  const read = async (value: string, path = '') =>
    JSON.parse((await world.get('GREEN', `/v1/indicators/${ids.get(value)}${path}`)).body);
  const feed = async (query = ''): Promise<StixObject[]> =>
    JSON.parse((await world.get('GREEN', `${FEED}${query}`)).body).objects ?? [];
  const named = (objects: readonly StixObject[], value: string) =>
    objects.filter(({ name }) => name === value);

  test('an indicator that comes to be on the list ends in the feed, with all that belongs to it', async () => {
    assert.equal(named(await feed(), OWN).length, 1);
    const owned = (objects: readonly StixObject[]) =>
      objects.filter((object) => JSON.stringify(object).includes(`indicator--${ids.get(OWN)}`)).length;
    assert.ok(owned(await feed()) > 1, 'a sighting and relationships');
    await world.restart({ TIS_NEVER_BLOCK: '192.0.2.0/24, plant.example' });
    await world.work();
    const objects = await feed();
    const [last] = named(objects, OWN);
    assert.ok(String(last?.valid_until) <= new Date().toISOString());
    assert.ok(last?.labels?.includes('never-block'));
    assert.equal(owned(objects), 1);
    assert.equal(named(objects, OTHER).length, 1);
  });

  test('it is shown as what it is, and later reports publish nothing', async () => {
    const before = await feed('?match[version]=all');
    await report(OWN, 'scada.plant.example');
    await world.work();
    assert.deepEqual(await feed('?match[version]=all'), before);
    const { labels, confidenceScore } = await read(OWN);
    assert.ok(labels.some(({ key }: { key: string }) => key === 'never-block'));
    assert.ok(confidenceScore >= 70);
    assert.equal((await read(OWN, ':explain')).neverBlock.entry, '192.0.2.0/24');
    assert.equal((await read('scada.plant.example', ':explain')).neverBlock.entry, 'plant.example');
    assert.equal((await read(OTHER, ':explain')).neverBlock, undefined);
  });

  test('taken off the list, it is published again', async () => {
    const { modified } = named(await feed(), OWN)[0] as StixObject;
    await world.restart({});
    await world.work();
    const objects = await feed();
    const [last] = named(objects, OWN);
    assert.ok(String(last?.modified) > modified);
    assert.ok(String(last?.valid_until) > new Date().toISOString());
    assert.equal(last?.labels?.includes('never-block'), false);
    assert.equal(named(objects, 'scada.plant.example').length, 1);
    assert.equal((await read(OWN, ':explain')).neverBlock, undefined);
  });

  test('a file has an entry on each line, and a bad line is named', async () => {
    const path = join(installation.folder, 'own');
    await writeFile(path, '# own\n192.0.2.0/24 # plant\n\npartner.example\n');
    const list = await loadNeverBlock([path]);
    assert.equal(list.match({ type: 'DOMAIN', value: 'a.partner.example' }), 'partner.example');
    await writeFile(path, '192.0.2.0/24\nnot an entry\n');
    await assert.rejects(loadNeverBlock([path, `${path}-not-there`]), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.faults[0] ?? '', /^TIS_NEVER_BLOCK: .*: line 2 is no address, range or domain$/);
      assert.match(error.faults[1] ?? '', /cannot be read$/);
      return true;
    });
  });
});
