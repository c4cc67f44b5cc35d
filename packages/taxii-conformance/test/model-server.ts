// A small TAXII 2.1 server that keeps every rule and can be given faults.

import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  CLOSED_COLLECTION,
  INBOX_COLLECTION,
  MAIN_COLLECTION,
  STORED,
  type StoredObject,
} from './model-data.ts';

export interface ModelRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export interface ModelAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

type Serve = (request: ModelRequest) => ModelAnswer;

/** Replaces or changes the answers of the model. */
export type Fault = (request: ModelRequest, serve: Serve) => ModelAnswer;

export const KEY = 'the-key-of-the-model';
const MEDIA_TYPE = 'application/taxii+json;version=2.1';
const STIX = 'application/stix+json;version=2.1';
const MOST_BYTES = 100_000;
const PAGE_SIZE = 50;
const STATUSES = { 400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found' } as const;

class Refusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, headers: Readonly<Record<string, string>> = {}) {
    super(STATUSES[status as keyof typeof STATUSES] ?? 'Error');
    this.status = status;
    this.headers = headers;
  }
}

const collection = (id: string, title: string, can_read: boolean, can_write: boolean) => ({
  id,
  title,
  can_read,
  can_write,
  media_types: [STIX],
});

const COLLECTIONS = [
  { ...collection(MAIN_COLLECTION, 'Main', true, false), alias: 'main' },
  collection(INBOX_COLLECTION, 'Inbox', true, true),
  collection(CLOSED_COLLECTION, 'Closed', false, false),
];

export interface ModelServer extends AsyncDisposable {
  readonly url: URL;
}

/** @param fault may change each request to the model and each answer. */
export async function startModel(fault?: Fault): Promise<ModelServer> {
  const model = createModel();
  const serve: Serve = fault === undefined ? model : (request) => fault(request, model);
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const url = new URL(incoming.url ?? '/', 'http://model');
    const answer = serve({
      method: incoming.method ?? 'GET',
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      headers: incoming.headers as ModelRequest['headers'],
      body: Buffer.concat(chunks).toString(),
    });
    const { body, headers, status } = answer;
    const plain =
      body === undefined
        ? Buffer.alloc(0)
        : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const packs = incoming.headers['accept-encoding'] === 'gzip' && headers['content-encoding'] === undefined;
    outgoing.writeHead(status, { ...headers, ...(packs ? { 'content-encoding': 'gzip' } : {}) });
    outgoing.end(packs ? gzipSync(plain) : plain);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createModel(): Serve {
  const stored = new Map<string, StoredObject[]>([
    [MAIN_COLLECTION, [...STORED]],
    [INBOX_COLLECTION, []],
    [CLOSED_COLLECTION, []],
  ]);
  const statuses = new Map<string, object>();

  function respond(request: ModelRequest): ModelAnswer {
    const { method, path } = request;
    const [taxii2, ...rest] = path.split('/').slice(1);
    if (taxii2 !== 'taxii2') throw new Refusal(404);
    const steps = rest.filter((step) => step !== '');
    requireAcceptable(request);
    if (steps.length === 0) return get(method, discovery());
    if (request.headers.authorization?.toLowerCase() !== `bearer ${KEY}`)
      throw new Refusal(401, { 'www-authenticate': 'Bearer realm="model", Basic realm="model"' });
    if (steps[0] === 'status' && steps.length === 2) return get(method, statuses.get(steps[1] ?? ''));
    if (steps[0] !== 'collections') throw new Refusal(404);
    if (steps.length === 1) return get(method, { collections: COLLECTIONS });
    const found = COLLECTIONS.find(
      (one) => one.id === steps[1] || ('alias' in one && one.alias === steps[1]),
    );
    if (found === undefined) throw new Refusal(404);
    if (steps.length === 2) return get(method, found);
    const all = stored.get(found.id) ?? [];
    const [, , listing, objectId, versions] = steps;
    if (method === 'POST' && listing === 'objects') {
      if (!found.can_write) throw new Refusal(403);
      return add(request, all);
    }
    if (method === 'DELETE' && objectId !== undefined) {
      if (!found.can_write) throw new Refusal(403);
      stored.set(
        found.id,
        all.filter(({ object }) => object.id !== objectId),
      );
      return { status: 200, headers: {} };
    }
    if (!found.can_read) throw new Refusal(403);
    const ofObject = all.filter(({ object }) => objectId === undefined || object.id === objectId);
    if (objectId !== undefined && ofObject.length === 0) throw new Refusal(404);
    if (versions !== undefined) request.query.set('match[version]', 'all');
    const page = poll(request.query, ofObject);
    const more = page.next === undefined ? { more: false } : { more: true, next: page.next };
    if (versions === 'versions')
      return get(
        method,
        listOf(more, 'versions', page.items, (one) => one.version),
        page,
      );
    if (listing === 'manifest') return get(method, listOf(more, 'objects', page.items, recordOf), page);
    if (listing === 'objects')
      return get(
        method,
        listOf(more, 'objects', page.items, ({ object }) => object),
        page,
      );
    throw new Refusal(404);
  }

  function add(request: ModelRequest, all: StoredObject[]): ModelAnswer {
    if (!/^application\/taxii\+json(;\s*version=2\.1)?$/.test(request.headers['content-type'] ?? ''))
      throw new Refusal(415);
    if (request.body.length > MOST_BYTES) throw new Refusal(413);
    const envelope = jsonOf(request.body) as { type?: unknown; objects?: Record<string, unknown>[] };
    if (Array.isArray(envelope) || !Array.isArray(envelope.objects)) throw new Refusal(422);
    if (envelope.type !== undefined) throw new Refusal(422);
    for (const object of envelope.objects) {
      const version = String(object.modified);
      const known = all.some((one) => one.object.id === object.id && one.version === version);
      const dateAdded = new Date().toISOString().replace('Z', '000Z');
      if (!known) all.push({ object, version, dateAdded });
    }
    const status = {
      id: randomUUID(),
      status: 'complete',
      request_timestamp: '2026-01-01T00:00:00.000000Z',
      total_count: envelope.objects.length,
      success_count: envelope.objects.length,
      failure_count: 0,
      pending_count: 0,
      successes: envelope.objects.map(({ id, modified }) => ({ id, version: modified })),
    };
    statuses.set(status.id, status);
    return { status: 202, headers: { 'content-type': MEDIA_TYPE }, body: status };
  }

  return (request) => {
    try {
      return respond(request);
    } catch (error) {
      const { status, message, headers } =
        error instanceof Refusal ? error : new Refusal(500, { 'x-cause': String(error) });
      const body = { title: message, http_status: String(status) };
      return {
        status,
        headers: { 'content-type': MEDIA_TYPE, ...headers },
        ...(request.method === 'HEAD' ? {} : { body }),
      };
    }
  };
}

function discovery(): object {
  return {
    title: 'Model',
    default: '/taxii2/',
    api_roots: ['/taxii2/'],
    versions: [MEDIA_TYPE],
    max_content_length: MOST_BYTES,
  };
}

interface ModelPage {
  readonly items: readonly StoredObject[];
  readonly next: string | undefined;
  readonly first: string;
  readonly last: string;
}

function get(method: string, body: object | undefined, page?: ModelPage): ModelAnswer {
  if (method !== 'GET' && method !== 'HEAD') throw new Refusal(405, { allow: 'GET, HEAD' });
  if (body === undefined) throw new Refusal(404);
  const dates =
    page === undefined
      ? undefined
      : { 'x-taxii-date-added-first': page.first, 'x-taxii-date-added-last': page.last };
  return {
    status: 200,
    headers: { 'content-type': MEDIA_TYPE, ...dates },
    ...(method === 'HEAD' ? {} : { body }),
  };
}

function listOf(
  more: object,
  member: string,
  items: readonly StoredObject[],
  render: (item: StoredObject) => unknown,
): object {
  return items.length === 0 ? more : { ...more, [member]: items.map(render) };
}

function recordOf({ object, dateAdded, version }: StoredObject): object {
  return { id: object.id, date_added: dateAdded, version, media_type: STIX };
}

/** The first range that is TAXII, whatever its weight, or any. */
function requireAcceptable({ headers: { accept = '*/*' } }: ModelRequest): void {
  const ranges = accept.split(',').map((range) => range.trim().toLowerCase().replaceAll('"', ''));
  const fits = ranges.some((range) =>
    /^(\*\/\*|application\/\*|application\/taxii\+json)(;\s*version=2\.1)?(;\s*q=.*)?$/.test(range),
  );
  if (!fits) throw new Refusal(406);
}

/** One page, and where the next one begins: `next` is the date of the last object with the filters, and a seal. */
function poll(asked: URLSearchParams, all: readonly StoredObject[]): ModelPage {
  const given = asked.get('next');
  const query = given === null ? asked : opened(given, asked);
  for (const name of ['limit', 'added_after', 'next', 'match[id]', 'match[type]', 'match[version]']) {
    if (asked.getAll(name).length > 1) throw new Refusal(400);
  }
  const limit =
    asked.get('limit') === null
      ? PAGE_SIZE
      : /^[1-9]\d*$/.test(asked.get('limit') ?? '')
        ? Number(asked.get('limit'))
        : 0;
  if (limit === 0) throw new Refusal(400);
  const after = query.get('added_after');
  const position = after === null ? '' : micros(after);
  const types = query.get('match[type]')?.split(',');
  const ids = query.get('match[id]')?.split(',');
  const specs = query.get('match[spec_version]')?.split(',');
  const found = ofVersions(query.get('match[version]') ?? 'last', all).filter(
    ({ object, dateAdded }) =>
      dateAdded > position &&
      (types?.includes(String(object.type)) ?? true) &&
      (ids?.includes(String(object.id)) ?? true) &&
      (specs?.includes('2.1') ?? true),
  );
  const items = found.slice(0, Math.min(limit, PAGE_SIZE));
  const last = items.at(-1)?.dateAdded;
  const edge = position === '' ? '1970-01-01T00:00:00.000000Z' : position;
  return {
    items,
    next: last !== undefined && found.length > items.length ? sealed(query, last) : undefined,
    first: items[0]?.dateAdded ?? edge,
    last: last ?? edge,
  };
}

function ofVersions(match: string, all: readonly StoredObject[]): readonly StoredObject[] {
  const wanted = match.split(',');
  if (wanted.includes('all') && wanted.length > 1) throw new Refusal(400);
  const instants = wanted.filter((value) => !['all', 'first', 'last'].includes(value)).map(micros);
  return all.filter(({ object, version }) => {
    const versions = all.filter((one) => one.object.id === object.id).map((one) => one.version);
    return (
      wanted.includes('all') ||
      (wanted.includes('first') && version === versions[0]) ||
      (wanted.includes('last') && version === versions.at(-1)) ||
      instants.includes(micros(version))
    );
  });
}

/** An RFC 3339 timestamp in UTC, in the form of §2. */
function micros(text: string): string {
  const [, seconds = '', fraction = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/.exec(text) ?? [];
  const date = new Date(`${seconds}Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 19) !== seconds) throw new Refusal(400);
  return `${seconds}.${fraction.padEnd(6, '0').slice(0, 6)}Z`;
}

function sealed(query: URLSearchParams, last: string): string {
  const position = new URLSearchParams(query);
  position.delete('next');
  position.delete('limit');
  position.set('added_after', last);
  const text = Buffer.from(position.toString()).toString('base64url');
  return `${seal(text)}.${text}`;
}

function opened(next: string, asked: URLSearchParams): URLSearchParams {
  const [mark, text = ''] = next.split('.');
  if (mark !== seal(text)) throw new Refusal(400);
  const query = new URLSearchParams(Buffer.from(text, 'base64url').toString());
  const limit = asked.get('limit');
  if (limit !== null) query.set('limit', limit);
  return query;
}

function seal(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400);
  }
}
