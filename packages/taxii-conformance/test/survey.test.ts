// The survey: the start address, the collection that is read, and changes during the run.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bearer,
  type ConformanceOptions,
  checkConformance,
  NotTestable,
  type Waiver,
} from '../src/conformance.ts';
import { CLOSED_COLLECTION, INBOX_COLLECTION, MAIN_COLLECTION } from './model-data.ts';
import { type Fault, KEY, type ModelAnswer, startModel } from './model-server.ts';

const CREDENTIAL = bearer(KEY);

async function tryModel(fault: Fault, options: Partial<ConformanceOptions> = {}, path = '') {
  await using model = await startModel(fault);
  return await checkConformance({ url: new URL(path, model.url), credential: CREDENTIAL, ...options });
}

const asIs: Fault = (request, serve) => serve(request);
const notFound: ModelAnswer = { status: 404, headers: {} };

/** Discovery of a server with two API roots, of which the second is the one of the model. */
function discoveryOf(root: string): Fault {
  return (request, serve) => {
    if (request.path === '/taxii2/') {
      const body = { title: 'Two', default: root, api_roots: ['/none/', root] };
      return { ...serve(request), body };
    }
    return request.path.startsWith('/second/')
      ? serve({ ...request, path: request.path.replace('/second/', '/taxii2/') })
      : notFound;
  };
}

function titlesOf(
  conformance: Awaited<ReturnType<typeof checkConformance>>,
  outcome: string,
): readonly string[] {
  return conformance.findings.filter((finding) => finding.outcome === outcome).map(({ title }) => title);
}

test('the API root is the default of discovery; one of another origin is looked for on this one', async () => {
  for (const root of ['/second/', 'https://taxii.example.org/second/']) {
    const found = await tryModel(discoveryOf(root));
    assert.deepEqual([found.apiRoot, found.collection], ['/second/', MAIN_COLLECTION]);
    assert.deepEqual(titlesOf(found, 'fail'), []);
  }
});

test('the URL may be the API root, even where there is no discovery', async () => {
  const lost: Fault = (request, serve) =>
    request.path === '/taxii2/' ? notFound : discoveryOf('/')(request, serve);
  const found = await tryModel(lost, {}, '/second/');
  assert.equal(found.apiRoot, '/second/');
  assert.deepEqual(titlesOf(found, 'fail').slice(0, 1), ['discovery: answers 200 with an object']);
  await assert.rejects(tryModel(lost), NotTestable);
});

test('the collection is the one that was named, or the first that is not empty', async () => {
  const empty: Fault = (request, serve) => {
    const answer = serve(request);
    const isMain = request.path.includes(MAIN_COLLECTION) && request.path.endsWith('/objects/');
    return isMain && answer.status === 200 ? { ...answer, body: { more: false } } : answer;
  };
  assert.equal((await tryModel(asIs, { collection: INBOX_COLLECTION })).collection, INBOX_COLLECTION);
  assert.equal((await tryModel(empty)).collection, MAIN_COLLECTION, 'all are empty');
});

test('a collection that is not there, or not open to the credential, is no fault of the server', async () => {
  const none = '4b6c1f0e-93d7-4a58-8f21-6d0e5b7ac394';
  for (const [options, expected] of [
    [{ collection: none }, /^Error: there is no such collection: 404 at \/taxii2\/collections\/4b6c/],
    [{ writable: none }, /^Error: there is no such collection: 404/],
    [{ collection: CLOSED_COLLECTION }, /cannot be read with this credential$/],
    [{ writable: 'main' }, /^Error: the collection main cannot be written to with this credential$/],
  ] as const)
    await assert.rejects(tryModel(asIs, options), expected);
  await assert.rejects(tryModel(asIs, { collection: none }), NotTestable);
  // A collection that the list leaves out can be named.
  const unlisted: Fault = (request, serve) => {
    const answer = serve(request);
    return request.path === '/taxii2/collections/' && answer.status === 200
      ? { ...answer, body: {} }
      : answer;
  };
  const found = await tryModel(unlisted, { collection: MAIN_COLLECTION });
  assert.deepEqual(titlesOf(found, 'fail'), []);
});

test('the address of something else than an API root is not judged as one', async () => {
  for (const path of ['/taxii2/collections/', `/taxii2/collections/${MAIN_COLLECTION}/objects/`])
    await assert.rejects(tryModel(asIs, {}, path), /^Error: the URL is not that of an API root: 404 at/);
});

test('where a redirect leads is told', async () => {
  const moved: Fault = () => ({ status: 301, headers: { location: 'https://taxii.example.org/' } });
  await assert.rejects(
    tryModel(moved),
    /GET \/taxii2\/: 301 to "https:\/\/taxii\.example\.org\/", where 200/,
  );
});

test('a credential that is not accepted ends it before it begins', async () => {
  await assert.rejects(tryModel(asIs, { credential: bearer('wrong') }), /not accepted: 401/);
  await assert.rejects(tryModel(asIs, { credential: {} }), /asks for a credential: 401/);
});

test('a waived rule is no fault, and one that does not exist is', async () => {
  await assert.rejects(
    tryModel(asIs, { waivers: [{ rule: 'x', reason: 'y' }] }),
    /no rule has the title "x"/,
  );
  const rule = 'api root: versions has application/taxii+json;version=2.1';
  const older: Fault = (request, serve) => {
    const answer = serve(request);
    return request.path === '/taxii2/'
      ? { ...answer, body: { ...(answer.body as object), versions: ['application/taxii+json;version=2.0'] } }
      : answer;
  };
  const found = await tryModel(older, { waivers: [{ rule, reason: 'it is an old one' }] });
  assert.deepEqual(titlesOf(found, 'fail'), []);
  assert.deepEqual(titlesOf(found, 'waived'), [rule]);
  assert.match(found.findings.find(({ title }) => title === rule)?.reason ?? '', /\(it is an old one\)$/);
});

test('a waiver that names a server or faults holds for these alone', async () => {
  const rule = 'api root: each of versions is a TAXII media type with its version';
  const outcomeAt = async (versions: readonly string[], limits: Partial<Waiver>) => {
    const fault: Fault = (request, serve) => {
      const answer = serve(request);
      if (request.path !== '/taxii2/') return answer;
      const body = {
        ...(answer.body as object),
        versions: ['application/taxii+json;version=2.1', ...versions],
      };
      return { ...answer, body };
    };
    const waivers = [{ rule, reason: 'for old clients', ...limits }];
    const { findings } = await tryModel(fault, { waivers, limit: 5 });
    return findings.find(({ title }) => title === rule)?.outcome;
  };
  const seen = ['"2.1" is not', '"2.0" is not'];
  assert.equal(await outcomeAt(['2.1'], { collection: MAIN_COLLECTION, seen }), 'waived');
  assert.equal(await outcomeAt(['2.1'], { collection: 'of-another-server', seen }), 'fail');
  assert.equal(await outcomeAt(['2.2'], { seen }), 'fail');
  // A message shows three faults. A waiver for them does not cover the fourth.
  assert.equal(await outcomeAt(['2.1', '2.0', '2.1', '2.0'], { seen }), 'waived');
  assert.equal(await outcomeAt(['2.1', '2.0', '2.1', '2.2'], { seen }), 'fail');
});

test('an object that is added while the suite reads is not taken for a fault', async () => {
  let reads = 0;
  // The newest object is there only from the 60th request about objects on.
  const growing: Fault = (request, serve) => {
    if (!/\/(objects|manifest)\/$/.test(request.path)) return serve(request);
    reads += 1;
    const answer = serve(request);
    const { objects, more } = (answer.body ?? {}) as { objects?: { id: string }[]; more?: boolean };
    const hidden = objects?.filter(({ id }) => !id.startsWith('sighting--'));
    if (reads > 60 || objects === undefined || hidden?.length === objects.length || more) return answer;
    return { ...answer, body: { ...(answer.body as object), objects: hidden } };
  };
  const found = await tryModel(growing);
  assert.deepEqual(
    titlesOf(found, 'fail').filter((title) => title.startsWith('paging: in steps')),
    [],
  );
});

test('deleting is judged by the first answer, where the collection that is read is the one that is written', async () => {
  // The object is marked as deleted but can still be read.
  const deleted = new Set<string>();
  const marking: Fault = (request, serve) => {
    if (request.method !== 'DELETE' || !request.path.includes(INBOX_COLLECTION)) return serve(request);
    if (deleted.has(request.path)) return notFound;
    deleted.add(request.path);
    return { status: 200, headers: {} };
  };
  for (const collection of [MAIN_COLLECTION, INBOX_COLLECTION]) {
    const found = await tryModel(marking, { collection, writable: INBOX_COLLECTION });
    assert.deepEqual(titlesOf(found, 'fail'), ['writing: what was deleted is 404']);
  }
});

test('no more than the limit is read', async () => {
  let longest = 0;
  const counting: Fault = (request, serve) => {
    longest = Math.max(longest, Number(request.query.get('limit')) || 0);
    return serve(request);
  };
  const found = await tryModel(counting, { limit: 10 });
  assert.deepEqual(titlesOf(found, 'fail'), []);
  assert.ok(longest <= 1_000, `asked for ${longest} objects at once`);
});
