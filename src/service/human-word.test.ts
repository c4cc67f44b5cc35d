// A human's word on an indicator, as the readers of search, lookup, history and feed are told of it.

import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { SERVICE_GLOBAL_FEED } from '../domain/collection.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import { type Installation, MarkedWorld, makeInstallation } from './marked-world.test-support.ts';

const VALUE = '203.0.113.7';
const FEED = `/taxii2/collections/${SERVICE_GLOBAL_FEED.id}/objects/`;

interface StixIndicator {
  readonly id: string;
  readonly valid_until?: string;
  readonly confidence: number;
  readonly labels?: readonly string[];
  readonly revoked?: boolean;
  readonly modified: string;
}

describe("a human's word", () => {
  let installation: Installation;
  let world: MarkedWorld;
  let id: string;

  before(async () => {
    installation = await makeInstallation();
    world = await MarkedWorld.open(installation);
    id = await report('GREEN', VALUE);
  });
  after(async () => {
    await world.close();
    await rm(installation.folder, { recursive: true });
  });

  let events = 0;
  let fresh: { key: string; value: string }[] = [];
  async function report(tlp: TlpMarking, value: string): Promise<string> {
    const { body } = await world.report(tlp, [
      {
        eventId: `event-${events++}`,
        sensorId: 'plc-1',
        sensorType: 'SENSOR_TYPE_ICS',
        protocol: 'PROTOCOL_MODBUS',
        value,
        observedAt: new Date().toISOString(),
        evidence: { 'modbus.function_code': '43' },
        // A reporter cannot write the labels of a verdict.
        labels: [
          { key: 'withdrawn', value: 'x' },
          { key: 'false-positive', value: 'x' },
        ],
        tlp: `TLP_MARKING_${tlp}`,
      },
    ]);
    return JSON.parse(body).results[0].indicatorId;
  }
  const read = async (path: string, ceiling: TlpMarking = 'RED') =>
    JSON.parse((await world.get(ceiling, `/v1/indicators/${path}`)).body);
  const found = async (filter: object): Promise<number> => {
    const { body } = await world.search('RED', { query: VALUE, filter });
    return JSON.parse(body).indicators.length;
  };
  const versions = async (of = id): Promise<StixIndicator[]> => {
    const { body } = await world.get('RED', `${FEED}?match[version]=all&match[id]=indicator--${of}`);
    return JSON.parse(body).objects ?? [];
  };

  test('a dispute: confidence 0, an end, a label, out of searches, and a version in the feed', async () => {
    fresh = (await read(id)).labels;
    assert.deepEqual(
      fresh.map(({ key }) => key),
      ['intent', 'verdict'],
    );
    const published = (await versions()).length;
    assert.ok(await world.dispute(id, 'AMBER', false, 'the scanner of our insurer'));
    const { labels, confidenceScore, validUntil } = await read(id);
    assert.equal(confidenceScore, 0);
    assert.equal(labels.find(({ key }: { key: string }) => key === 'verdict').value, 'benign');
    const at = labels.find(({ key }: { key: string }) => key === 'false-positive').value;
    assert.equal(validUntil, at);
    assert.equal(await found({}), 0);
    assert.equal(await found({ includeWithdrawn: true }), 1);
    const { body } = await world.post('RED', '/v1/indicators:lookup', { values: [VALUE] });
    assert.equal(JSON.parse(body).results[0].matches[0].standing, 'STANDING_DISPUTED');
    const { caps, score, lifetime } = await read(`${id}:explain`);
    assert.deepEqual([score, caps[0].rule, lifetime], [0, 'disputed', undefined]);
    const [last, ...none] = (await versions()).slice(published);
    assert.deepEqual(none, []);
    assert.deepEqual(JSON.parse((await read(`${id}:stix`)).object), last);
    assert.equal((await world.get('CLEAR', `/v1/indicators/${id}:stix`)).status, 404);
    assert.deepEqual(
      [last?.confidence, last?.valid_until, last?.revoked, last?.labels?.includes('false-positive')],
      [0, validUntil, undefined, true],
    );
  });

  test('a repeat and a further report change nothing of it', async () => {
    await world.work();
    const before = await versions();
    assert.ok(await world.dispute(id, 'GREEN', false, 'again'));
    await report('GREEN', VALUE);
    assert.deepEqual(await versions(), before);
    assert.match((await read(id)).enrichment.aiSummary, /A person called it harmless/);
    assert.equal((await read(id)).confidenceScore, 0);
    assert.equal(await world.verify(id, 'GREEN'), false, 'it cannot be confirmed meanwhile');
  });

  test('the verdict is told to all readers, its reason and notes up to their marking', async () => {
    assert.ok(await world.note(id, 'RED', 'ask the plant manager'));
    const acts = async (ceiling: TlpMarking) =>
      (await read(`${id}:history`, ceiling)).acts.map(
        ({ kind, actor, note }: { kind: string; actor: string; note: string }) => [kind, actor, note],
      );
    const dispute = ['HUMAN_ACT_KIND_DISPUTE', 'ann', 'the scanner of our insurer'];
    assert.deepEqual(await acts('GREEN'), [dispute]);
    assert.deepEqual(await acts('RED'), [dispute, ['HUMAN_ACT_KIND_NOTE', 'ann', 'ask the plant manager']]);
    assert.equal((await read(`${id}:history`)).standing, 'STANDING_DISPUTED');
  });

  test('undone, it is what the reports say, with a further version', async () => {
    const before = await versions();
    assert.ok(await world.dispute(id, 'GREEN', true));
    const { labels, confidenceScore, validUntil } = await read(id);
    assert.ok(confidenceScore >= 70);
    assert.ok(validUntil > new Date().toISOString());
    assert.deepEqual(labels, fresh);
    assert.equal(await found({}), 1);
    const [last, ...none] = (await versions()).slice(before.length);
    assert.deepEqual([last?.valid_until, last?.confidence, none], [validUntil, confidenceScore, []]);
    assert.ok(await world.verify(id, 'GREEN'));
  });

  test('a hash has an end while it is disputed, and none afterwards', async () => {
    const hash = await report('GREEN', 'a'.repeat(64));
    assert.equal((await read(hash)).validUntil, undefined);
    assert.ok(await world.dispute(hash, 'GREEN', false, 'an installer'));
    assert.notEqual((await read(hash)).validUntil, undefined);
    assert.ok(await world.dispute(hash, 'GREEN', true));
    assert.equal((await read(hash)).validUntil, undefined);
    assert.equal((await versions(hash)).at(-1)?.valid_until, undefined);
  });

  test('a view that is made later has the verdict, without the reason and the time', async () => {
    const hidden = await report('RED', '203.0.113.8');
    assert.ok(await world.dispute(hidden, 'RED', false, 'known to few'));
    const before = Date.now();
    await report('GREEN', '203.0.113.8');
    const { acts, standing } = await read(`${hidden}:history`, 'GREEN');
    assert.equal(standing, 'STANDING_DISPUTED');
    assert.deepEqual([acts.length, acts[0].actor, acts[0].note], [1, 'ann', '']);
    assert.ok(Date.parse(acts[0].at) >= before);
    assert.equal((await read(hidden, 'GREEN')).confidenceScore, 0);
    assert.equal((await read(`${hidden}:history`, 'RED')).acts[0].note, 'known to few');
  });

  test('withdrawn for good: revoked in the feed, out of searches, and nothing undoes it', async () => {
    assert.ok(await world.withdraw(id));
    assert.equal((await versions()).at(-1)?.revoked, true);
    assert.equal(await found({}), 0);
    assert.equal(await found({ includeWithdrawn: true }), 1);
    assert.equal((await read(`${id}:history`)).standing, 'STANDING_WITHDRAWN');
    assert.equal(await world.dispute(id, 'GREEN', false, 'x'), false);
    const actions = (await world.audit(20)).map(({ action }) => action);
    for (const act of ['dispute', 'undo-dispute', 'note', 'verify', 'revoke'])
      assert.ok(actions.includes(`indicator.${act}`), act);
  });

  test('an indicator has room for twenty notes of a marking', async () => {
    const noted = await report('GREEN', '203.0.113.9');
    for (let number = 0; number < 20; number++) assert.ok(await world.note(noted, 'GREEN', `note ${number}`));
    assert.equal(await world.note(noted, 'GREEN', 'one more'), false);
    assert.ok(await world.note(noted, 'AMBER', 'others still fit'));
    assert.equal((await read(`${noted}:history`, 'GREEN')).acts.length, 20);
  });
});
