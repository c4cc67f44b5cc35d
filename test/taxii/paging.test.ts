// Paging through the TAXII 2.1 feed: every object exactly once, also during writes.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RunningService } from '../support/running-service.ts';
import { anEvent, events } from '../support/sensor-events.ts';
import { faultOf, idsOf, TaxiiClient } from '../support/taxii-client.ts';
import type { Envelope, StixObject, WireEvent } from '../support/wire.ts';

/** TAXII 2.1 §2: exactly six digits here. */
const DATE_ADDED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

let service: RunningService;
let client: TaxiiClient;
let sensor: string;

before(async () => {
  service = await RunningService.start();
  const key = await service.key();
  client = new TaxiiClient(() => service.url, key);
  sensor = await service.key({ sensor: true });
  await take(events(25));
});
after(() => service.dispose());

/** Ingests events and waits until the feed has them. */
async function take(batch: readonly WireEvent[]): Promise<readonly string[]> {
  const { results } = await service.as(sensor).ingest(batch);
  await service.settled();
  return results.map(({ indicatorId }) => indicatorId);
}

describe('a walk', () => {
  test('in every page size gives each object once, in the order they were added', async () => {
    const whole = await client.objects();
    assert.equal(whole.pages, 1);
    const ids = idsOf(whole.items);
    assert.equal(new Set(ids).size, ids.length);
    const { items: manifest } = await client.manifest();
    assert.deepEqual(idsOf(manifest), ids);
    const dates = manifest.map(({ date_added }) => date_added);
    assert.deepEqual(dates, [...new Set(dates)].sort());

    for (const limit of [1, 7, 100, 5_001]) {
      const { items, pages } = await client.objects({ limit });
      assert.deepEqual(items, whole.items);
      assert.equal(pages, Math.ceil(ids.length / limit));
    }
  });

  test('can be repeated page by page: a cursor is not used up', async () => {
    const { next = '' } = (await client.list('objects', { limit: 3 })).expect<Envelope>(200);
    const twice = [1, 2].map(async () => {
      const page = (await client.list('objects', { limit: 3, next })).expect<Envelope>(200);
      const rest = (await client.list('objects', { next: page.next ?? '' })).expect<Envelope>(200);
      return [page.objects, rest.objects];
    });
    const [once, again] = await Promise.all(twice);
    assert.equal(once?.[0]?.length, 3);
    assert.deepEqual(again, once);
  });

  test('goes on with `next` alone, and refuses one that was changed or belongs elsewhere', async () => {
    const filter = { 'match[type]': 'indicator' };
    const first = (await client.list('objects', { ...filter, limit: 5 })).expect<Envelope>(200);
    const next = first.next ?? '';
    const rest = (await client.list('objects', { next })).expect<Envelope>(200);
    const all = await client.objects(filter);
    assert.deepEqual([...(first.objects ?? []), ...(rest.objects ?? [])], all.items);

    const changed = next.slice(0, -2) + (next.endsWith('AA') ? 'BB' : 'AA');
    faultOf(await client.list('objects', { next: changed }), 400);
    faultOf(await client.list('objects', { next: 'x' }), 400);
    faultOf(await client.list('objects', { next: '' }), 400);
    faultOf(await client.list('objects', { next, 'match[type]': 'identity' }), 400);
    faultOf(await client.list('manifest', { next }), 400);
  });

  test('is not disturbed by what is written meanwhile, which comes with the next poll', async () => {
    const [changing] = await take([anEvent({ value: '198.51.100.1' })]);
    const start = await client.objects();
    const added: string[] = [];
    const walk = await client.objects({ limit: 6 }, async () => {
      // A new object, and a new version of one that the walk has not reached.
      added.push(
        ...(await take([anEvent(), anEvent({ value: '198.51.100.1', tags: [`tag-${added.length}`] })])),
      );
    });
    assert.deepEqual(walk.items, start.items);

    const news = await client.objects({ added_after: walk.last, 'match[type]': 'indicator' });
    assert.deepEqual(
      new Set(idsOf(news.items)),
      new Set([...added, changing].map((id) => `indicator--${id}`)),
    );
    assert.equal(news.items.length, new Set(added).size);
    const { last } = await client.objects({ added_after: walk.last });
    assert.deepEqual((await client.objects({ added_after: last })).items, []);
  });

  test('goes on over a restart of the service', async () => {
    const whole = await client.objects();
    let restarts = 0;
    const walk = await client.objects({ limit: 20 }, async () => {
      if (restarts === 0) await service.restart();
      restarts += 1;
    });
    assert.ok(restarts > 0);
    assert.deepEqual(walk.items, whole.items);
  });
});

describe('polling by added_after', () => {
  test('is exclusive, to the microsecond, and loses nothing to clients that cut digits', async () => {
    const { items } = await client.manifest({ 'match[version]': 'all' });
    for (const at of [0, 10, items.length - 1]) {
      const date = items[at]!.date_added;
      assert.match(date, DATE_ADDED);
      const later = await client.manifest({ 'match[version]': 'all', added_after: date });
      assert.deepEqual(later.items, items.slice(at + 1));
      const cut = `${date.slice(0, -4)}Z`;
      const known = await client.manifest({ 'match[version]': 'all', added_after: cut });
      assert.deepEqual(known.items, later.items, 'one object to the millisecond');
    }
  });

  test('alone, in small pages, it finds every one of a thousand that came in at once', async () => {
    const start = await client.objects();
    const expected = new Set((await take(events(1_000))).map((id) => `indicator--${id}`));
    const found: string[] = [];
    let { last } = start;
    for (let more = true; more && found.length <= expected.size; ) {
      const answer = await client.list('objects', {
        limit: 10,
        added_after: last,
        'match[type]': 'indicator',
      });
      const page = answer.expect<Envelope>(200);
      found.push(...idsOf(page.objects ?? []));
      last = answer.headers.get('x-taxii-date-added-last') ?? '';
      more = page.more;
    }
    assert.equal(found.length, expected.size);
    assert.deepEqual(new Set(found), expected);
  });

  test('a client that goes by `modified` loses nothing', async () => {
    const held = new Map<string, StixObject>();
    let newest = '1970-01-01T00:00:00Z';
    const poll = async () => {
      const { items } = await client.objects({ added_after: newest, limit: 50 });
      for (const object of items) {
        held.set(object.id, object);
        if ((object.modified ?? '') > newest) newest = object.modified ?? '';
      }
    };
    await poll();
    for (let round = 0; round < 3; round++) {
      await take([...events(5), anEvent({ value: '198.51.100.2', tags: [`round-${round}`] })]);
      await poll();
    }
    const { items } = await client.objects();
    assert.deepEqual(new Map(items.map((object) => [object.id, object])), held);
  });

  test('the headers of every listing say which dates it covers, also when it is empty', async () => {
    const { items } = await client.manifest();
    const first = items[0]!;
    const last = items.at(-1)!;
    for (const path of ['objects', 'manifest', `objects/${last.id}`, `objects/${last.id}/versions`]) {
      const { headers } = await client.list(path, { limit: 5_000 });
      const of = (name: string) => headers.get(`x-taxii-date-added-${name}`) ?? '';
      assert.match(of('first'), DATE_ADDED, path);
      assert.match(of('last'), DATE_ADDED, path);
      if (!path.includes('/'))
        assert.deepEqual([of('first'), of('last')], [first.date_added, last.date_added]);
    }
    const empty = await client.list('objects', { added_after: last.date_added });
    assert.deepEqual(empty.expect(200), { more: false });
    assert.equal(empty.headers.get('x-taxii-date-added-last'), last.date_added);
  });
});

describe('match filters', () => {
  test('by id, type, version and spec_version: values are alternatives, filters add up', async () => {
    const { items } = await client.objects();
    const identities = items.filter(({ type }) => type === 'identity');
    const [identity] = identities;
    const [indicator] = items.filter(({ type }) => type === 'indicator');
    assert.ok(identity && indicator);
    const found = async (query: Record<string, string>) => idsOf((await client.objects(query)).items);
    assert.deepEqual(await found({ 'match[id]': indicator.id }), [indicator.id]);
    assert.deepEqual(await found({ 'match[id]': `${indicator.id},${identity.id}` }), [
      identity.id,
      indicator.id,
    ]);
    assert.deepEqual(await found({ 'match[id]': indicator.id, 'match[type]': 'identity' }), []);
    assert.deepEqual(await found({ 'match[type]': 'identity,no-such-type' }), idsOf(identities));
    assert.deepEqual(await found({ 'match[spec_version]': '2.0' }), []);
    assert.deepEqual(await found({ 'match[id]': identity.id, 'match[spec_version]': '2.0,2.1' }), [
      identity.id,
    ]);
  });

  test('versions: the last unless asked otherwise, the first, all, or one by its date', async () => {
    const [id] = await take([anEvent({ value: '198.51.100.3' })]);
    await take([anEvent({ value: '198.51.100.3', tags: ['again'] })]);
    const stixId = `indicator--${id}`;
    const modified = async (version?: string) => {
      const query = version === undefined ? {} : { 'match[version]': version };
      const { objects = [] } = (await client.list(`objects/${stixId}`, query)).expect<Envelope>(200);
      return objects.map((object) => object.modified ?? '');
    };
    const all = await modified('all');
    assert.ok(all.length >= 3);
    assert.deepEqual(all, [...new Set(all)].sort());
    assert.deepEqual(await modified(), all.slice(-1));
    assert.deepEqual(await modified('last'), all.slice(-1));
    assert.deepEqual(await modified('first'), all.slice(0, 1));
    assert.deepEqual(await modified('first,last'), [all[0], all.at(-1)]);
    assert.deepEqual(await modified(all[1]), [all[1]]);
    const { versions } = (await client.list(`objects/${stixId}/versions`)).expect<{ versions: string[] }>(
      200,
    );
    assert.deepEqual(versions, all);
  });
});
