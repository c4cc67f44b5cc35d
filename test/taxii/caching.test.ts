// Entity tags: a client that already has the answer gets 304 without a body.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { send } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { events } from '../support/sensor-events.ts';
import { COLLECTION, TAXII_MEDIA_TYPE, TaxiiClient } from '../support/taxii-client.ts';

let service: RunningService;
let client: TaxiiClient;

before(async () => {
  service = await RunningService.start();
  client = new TaxiiClient(() => service.url, await service.key());
  await take();
});
after(() => service.dispose());

async function take(): Promise<void> {
  await service.as(await service.key({ sensor: true })).ingest(events(20));
  await service.settled();
}

test('every readable resource has a tag, and answers 304 to it', async () => {
  const { items } = await client.objects({ 'match[type]': 'indicator' });
  const id = items[0]?.id;
  for (const path of [
    '/taxii2/',
    '/taxii2/collections/',
    `${COLLECTION}/`,
    `${COLLECTION}/objects/?limit=10`,
    `${COLLECTION}/manifest/`,
    `${COLLECTION}/objects/${id}/`,
    `${COLLECTION}/objects/${id}/versions/`,
    `${COLLECTION}/objects/?added_after=2100-01-01T00:00:00Z`,
  ]) {
    const first = await client.get(path, { 'accept-encoding': 'identity' });
    const etag = first.headers.get('etag') ?? '';
    // Weak when the answer contains `next`, because every `next` is a new text.
    assert.match(etag, path.includes('limit=10') ? /^W\/"\w+"$/ : /^"\w+"$/, path);
    const again = await client.get(path, { 'accept-encoding': 'identity', 'if-none-match': `"x", ${etag}` });
    assert.deepEqual([again.status, again.text], [304, ''], path);
    for (const name of [
      'etag',
      'x-taxii-date-added-first',
      'x-taxii-date-added-last',
      'cache-control',
      'vary',
    ]) {
      assert.equal(again.headers.get(name), first.headers.get(name), `${path} ${name}`);
    }
    const other = await client.get(path, { 'accept-encoding': 'identity', 'if-none-match': '"x"' });
    assert.equal(other.status, 200);
    if (!etag.startsWith('W/')) assert.equal(other.text, first.text);
  }
});

test('compressed bytes have a tag of their own', async () => {
  const path = `${COLLECTION}/objects/`;
  const plain = await client.get(path, { 'accept-encoding': 'identity' });
  const packed = await client.get(path, { 'accept-encoding': 'gzip' });
  const tags = [plain, packed].map(({ headers }) => headers.get('etag') ?? '');
  assert.notEqual(tags[0], tags[1]);
  for (const etag of tags) {
    const { status } = await client.get(path, { 'accept-encoding': 'gzip', 'if-none-match': etag });
    assert.equal(status, 304);
  }
});

test('a page that changed has another tag, one that did not has the same', async () => {
  const tag = async (query: string) =>
    (await client.get(`${COLLECTION}/objects/${query}`)).headers.get('etag') ?? '';
  const query = '?match[type]=marking-definition';
  const [same, whole] = [await tag(query), await tag('?limit=5000')];
  await take();
  assert.equal(await tag(query), same);
  assert.notEqual(await tag('?limit=5000'), whole);
});

test('HEAD has the headers of GET', async () => {
  const credential = await service.key();
  for (const path of [
    '/taxii2/',
    `${COLLECTION}/`,
    `${COLLECTION}/objects/?limit=3`,
    `${COLLECTION}/manifest/`,
  ]) {
    const headers = { accept: TAXII_MEDIA_TYPE, 'accept-encoding': 'identity' };
    const got = await send(service.url + path, { credential, headers });
    const head = await send(service.url + path, { credential, headers, method: 'HEAD' });
    assert.deepEqual([head.status, head.text], [200, '']);
    for (const name of ['etag', 'content-type', 'content-length', 'x-taxii-date-added-last']) {
      assert.equal(head.headers.get(name), got.headers.get(name), `${path} ${name}`);
    }
  }
});
