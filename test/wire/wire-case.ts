// One case of the wire contract: a request exactly as it is sent, and all that its answer must be.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { RpcStatus, SearchReply } from '../support/wire.ts';

export const SEARCH = '/v1/indicators/search';
export const INGEST = '/v1/sensorEvents:ingest';
export const UNKNOWN_ID = '6f9619ff-8b86-4011-b42d-00c04fc964ff';

/** What the service holds while the cases run, by name. */
export const POPULATION = {
  plc: { value: '198.51.100.7', protocol: 'PROTOCOL_MODBUS', sensorType: 'SENSOR_TYPE_ICS', tags: ['pump'] },
  login: {
    value: '203.0.113.9',
    protocol: 'PROTOCOL_SSH',
    sensorType: 'SENSOR_TYPE_NETWORK',
    tags: ['door'],
  },
  site: {
    value: 'evil.example.net',
    protocol: 'PROTOCOL_HTTP',
    sensorType: 'SENSOR_TYPE_NETWORK',
    tags: ['pump'],
  },
} as const;
export type Name = keyof typeof POPULATION;
const NAMES = Object.keys(POPULATION) as Name[];

/** Whose credential goes along. `none` sends no header. */
export type Holder = 'client' | 'accountant' | 'analyst' | 'sensor' | 'scopeless' | 'none';

export interface WireRequest {
  readonly method?: string;
  /** As it stands in the request line. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes go out as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly as?: Holder;
}

export interface WireReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

export interface WireCase extends WireRequest {
  /** Names the case within its row. */
  readonly given: string;
  readonly check: (reply: WireReply) => void;
}

/** The rows of one section of the reference. */
export type WireTable = Readonly<Record<string, readonly WireCase[]>>;

export function send(
  url: string,
  credentials: Readonly<Record<Holder, string>>,
  sent: WireRequest,
): Promise<WireReply> {
  const { hostname, port } = new URL(url);
  const authorization = credentials[sent.as ?? 'client'];
  const body = bytesOf(sent.body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        hostname,
        port,
        method: sent.method ?? 'GET',
        path: sent.path ?? '/',
        headers: {
          ...(authorization === '' ? {} : { authorization }),
          ...(body === undefined ? {} : { 'content-length': body.length }),
          ...sent.headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          });
        });
        response.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined;
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The JSON of an answer of the REST interface, whose form is judged here: type, no parameter, no trailing newline. */
export function jsonOf<Body>({ headers, body }: WireReply): Body {
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(Number(headers['content-length']), body.length);
  const text = body.toString();
  assert.doesNotMatch(text, /\n|[[:,]null/);
  return JSON.parse(text) as Body;
}

/** A page with exactly these. */
export function finds(...names: readonly Name[]): (reply: WireReply) => void {
  return (reply) => {
    assert.equal(reply.status, 200, reply.body.toString());
    const { indicators, pageInfo } = jsonOf<SearchReply>(reply);
    const found = indicators.map(({ value }) => NAMES.find((name) => POPULATION[name].value === value));
    assert.deepEqual(found.sort(), [...names].sort());
    assert.equal(typeof pageInfo.nextPageToken, 'string');
  };
}

export const findsAll = finds(...NAMES);

/** An rpcStatus of this HTTP status, code and reason; for a bad request, with the fields at fault. */
export function fails(status: number, code: number, reason: string, ...fields: readonly string[]) {
  return (reply: WireReply): void => {
    assert.equal(reply.status, status, reply.body.toString());
    const fault = jsonOf<RpcStatus>(reply);
    assert.deepEqual(Object.keys(fault), ['code', 'message', 'details']);
    assert.equal(fault.code, code);
    assert.ok(fault.message.length > 0 && fault.message.length < 300);
    assert.doesNotMatch(reply.body.toString(), /node_modules|\.ts:|sqlite|select /i);
    const [info] = fault.details;
    assert.equal(info?.['@type'], 'type.googleapis.com/google.rpc.ErrorInfo');
    assert.equal(info.reason, reason);
    const violations = fault.details.flatMap((detail) => detail.fieldViolations ?? []);
    assert.deepEqual(violations.map(({ field }) => field).sort(), [...fields].sort());
  };
}

/** 400 that names these fields. */
export const invalid = (...fields: readonly string[]) => fails(400, 3, 'INVALID_ARGUMENT', ...fields);

/** Cases of one row that differ in their body only. */
export function bodies(path: string, check: WireCase['check'], ...given: readonly unknown[]): WireCase[] {
  return given.map((body) => ({ given: nameOf(body), method: 'POST', path, body, check }));
}

function nameOf(body: unknown): string {
  if (body === undefined) return '(nothing)';
  const text = Buffer.isBuffer(body)
    ? body.toString('latin1')
    : typeof body === 'string'
      ? body
      : JSON.stringify(body);
  return JSON.stringify(text.slice(0, 70)).slice(1, -1);
}
