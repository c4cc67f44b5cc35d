// Servers with endless listings: the suite sends a bounded number of requests and reports what it saw.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bearer, type Conformance, checkConformance, ToldToWait } from '../src/conformance.ts';
import { type Body, body, MANIFEST, OBJECTS } from './fault.ts';
import { INBOX_COLLECTION } from './model-data.ts';
import { type Fault, KEY, type ModelAnswer, startModel } from './model-server.ts';

/** The bound in the README for a collection of this size, whatever the server does. */
const MOST_REQUESTS = 350;
const MOST_OF_ALL = 700;

const LISTING = new RegExp(`${OBJECTS.source}|${MANIFEST.source}`);

async function tryModel(fault: Fault): Promise<Conformance & { readonly served: number }> {
  let served = 0;
  await using model = await startModel((request, serve) => {
    served += 1;
    return fault(request, serve);
  });
  const options = { credential: bearer(KEY), writable: INBOX_COLLECTION, waitSeconds: 5 };
  const conformance = await checkConformance({ url: model.url, ...options });
  assert.equal(conformance.requests, served, 'the requests that are told are those that came');
  return { ...conformance, served };
}

function failuresOf({ findings }: Conformance): ReadonlyMap<string, string> {
  const failures = findings.filter(({ outcome }) => outcome === 'fail');
  return new Map(failures.map(({ title, reason }) => [title, reason]));
}

/** Listings that repeat their first page. `position` is the pagination of each page. */
function repeating(position: () => Body, keepsFilter: boolean): Fault {
  return (request, serve) => {
    if (!LISTING.test(request.path) || request.method !== 'GET') return serve(request);
    const query = new URLSearchParams(request.query);
    query.delete('next');
    if (!keepsFilter) query.delete('added_after');
    return body(LISTING, ({ next: _, ...page }) => ({ ...page, more: true, ...position() }))(
      { ...request, query },
      serve,
    );
  };
}

test('a listing that repeats one page for ever is read no further, and breaks the rules about paging', async () => {
  let pages = 0;
  for (const fault of [
    repeating(() => ({ next: 'on' }), true),
    repeating(() => ({ next: `on-${++pages}` }), true),
    repeating(() => ({}), false),
  ]) {
    const conformance = await tryModel(fault);
    assert.ok(conformance.served <= MOST_REQUESTS, `${conformance.served} requests`);
    const failures = failuresOf(conformance);
    for (const title of [
      'objects: are those of the manifest, each once',
      'manifest: with all versions it has one record for each',
      'paging: in steps of 1 every object comes once, in order',
      'paging: in steps of 7 every object comes once, in order',
      'paging: in steps of 100 every object comes once, in order',
      'paging: the manifest in steps of 7 has every record once, in order',
      'match[version]: first and last have the same objects, each once',
    ])
      assert.match(failures.get(title) ?? '', /: it repeats what came before, and more is true$/, title);
    assert.ok(!failures.has('objects: ascend by the date they were added'), 'one fault is told once');
  }
});

test('a listing that goes round in a circle is read once round', async () => {
  // The first page follows the third.
  const circle: Fault = (request, serve) => {
    const at = Number(request.query.get('next') ?? '0');
    if (!LISTING.test(request.path) || Number.isNaN(at) || request.query.get('limit') !== '7')
      return serve(request);
    const query = new URLSearchParams({ limit: '50' });
    return body(LISTING, ({ objects = [] }) => ({
      more: true,
      next: String((at + 1) % 3),
      objects: (objects as unknown[]).slice(at * 7, at * 7 + 7),
    }))({ ...request, query }, serve);
  };
  const conformance = await tryModel(circle);
  assert.ok(conformance.served <= MOST_REQUESTS, `${conformance.served} requests`);
  assert.match(
    failuresOf(conformance).get('paging: in steps of 7 every object comes once, in order') ?? '',
    /limit=7&next=0: it repeats what came before/,
  );
});

test('a listing of empty pages without end is read no further', async () => {
  for (const [next, told] of [
    [(_at: number) => 'on', 'paging: in steps of 100 every object comes once, in order'],
    [(at: number) => `on-${at}`, undefined],
  ] as const) {
    let pages = 0;
    const empty: Fault = (request, serve) => {
      if (request.query.get('next')?.startsWith('on') !== true)
        return body(LISTING, () => ({ more: true, next: next(++pages) }))(request, serve);
      const query = new URLSearchParams(request.query);
      query.delete('next');
      return body(LISTING, () => ({ more: true, next: next(++pages) }))({ ...request, query }, serve);
    };
    const conformance = await tryModel(empty);
    assert.ok(conformance.served <= MOST_REQUESTS, `${conformance.served} requests`);
    const full = conformance.findings.find(
      ({ title }) => title === 'paging: a page is full as long as more is true',
    );
    assert.equal(full?.outcome, 'warning');
    if (told !== undefined)
      assert.match(failuresOf(conformance).get(told) ?? '', /it repeats what came before/);
  }
});

test('a second page that cannot be read is a failure, and not a reason to skip the rules', async () => {
  for (const listing of [OBJECTS, MANIFEST]) {
    const broken: Fault = (request, serve) =>
      listing.test(request.path) && request.query.get('next') !== null && request.query.get('limit') === '100'
        ? { status: 500, headers: {} }
        : body(listing, (page) =>
            request.query.get('limit') === '100' ? { ...page, more: true, next: 'on' } : page,
          )(request, serve);
    const failures = failuresOf(await tryModel(broken));
    const title =
      listing === OBJECTS ? 'objects: answer 200 with an envelope' : 'manifest: answers 200 with a manifest';
    assert.match(failures.get(title) ?? '', /limit=100&next=on: 500, where 200 is due$/);
  }
});

test('a collection that is another one each time it is read costs a bounded number of requests', async () => {
  let number = 0;
  const restless = body(LISTING, (page) => ({
    ...page,
    objects: (page.objects as Body[] | undefined)?.map(({ id, ...object }) => ({
      ...object,
      id: `${String(id).slice(0, -8)}${String(++number).padStart(8, '0')}`,
    })),
  }));
  // The server also ignores the limit and sends one object at a time.
  const dripping: Fault = (request, serve) => {
    if (!LISTING.test(request.path)) return serve(request);
    const query = new URLSearchParams({ limit: '1' });
    const next = request.query.get('next');
    if (next !== null) query.set('next', next);
    return restless({ ...request, query }, serve);
  };
  for (const fault of [restless, dripping]) {
    const { served } = await tryModel(fault);
    assert.ok(served <= MOST_OF_ALL, `${served} requests`);
  }
});

test('no answer to one request is one failure', async () => {
  let isBroken = false;
  const breaking: Fault = (request, serve) => {
    const answer = serve(request);
    if (isBroken || !MANIFEST.test(request.path) || request.query.get('limit') !== '100') return answer;
    isBroken = true;
    return { ...answer, headers: { ...answer.headers, 'content-length': '999999', connection: 'close' } };
  };
  assert.deepEqual(
    [...failuresOf(await tryModel(breaking)).keys()],
    ['objects: more is true or false, next is a text'],
  );
});

const LATER = { 'retry-after': '3600', 'content-type': 'text/plain' };

test('a server that wants to be left alone for an hour is not judged by that', async () => {
  for (const status of [429, 503]) {
    for (const answered of [0, 3, 120]) {
      let served = 0;
      const later: ModelAnswer = { status, headers: LATER, body: 'later' };
      const limited: Fault = (request, serve) => (++served > answered ? later : serve(request));
      await assert.rejects(tryModel(limited), (error) => {
        assert.ok(error instanceof ToldToWait);
        assert.match(error.message, new RegExp(`: ${status} with Retry-After: 3600, and only 5 s are left`));
        assert.equal(served, answered + 1, 'it is not asked again');
        return true;
      });
    }
  }
});

test('a server that wants to be left alone for a moment passes every rule', async () => {
  let served = 0;
  const limited: Fault = (request, serve) =>
    ++served % 100 === 0
      ? { status: 429, headers: { ...LATER, 'retry-after': '1' }, body: 'later' }
      : serve(request);
  const conformance = await tryModel(limited);
  const others = conformance.findings.filter(({ outcome }) => outcome !== 'ok');
  assert.deepEqual(
    others.map(({ title }) => title),
    ['transport: the server is reached by HTTPS'],
  );
});

test('the command says which answer ended it, with exit code 2', async () => {
  let served = 0;
  const later: ModelAnswer = { status: 429, headers: LATER };
  await using model = await startModel((request, serve) => (++served > 20 ? later : serve(request)));
  const cli = fileURLToPath(new URL('../src/cli.ts', import.meta.url));
  const words = [cli, '--url', model.url.href, '--key', KEY, '--wait', '9'];
  const { code, stdout, stderr } = await new Promise<{ code: unknown; stdout: string; stderr: string }>(
    (resolve) =>
      execFile(process.execPath, words, (error, stdout, stderr) =>
        resolve({ code: error?.code, stdout, stderr }),
      ),
  );
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^GET \/taxii2\/\S+: 429 with Retry-After: 3600, and only 9 s are left for waiting \(--wait\): not tried to the end\n$/,
  );
  assert.ok(stdout.includes(' ... ok\n') && !stdout.includes('FAIL'), stdout);
});
