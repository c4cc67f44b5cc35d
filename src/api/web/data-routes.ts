// JSON below /app/data: what the pages of the web application need and the contract has no place for. Any credential that
// the REST interface takes opens it, and errors have the form of the REST interface.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidArgument } from '../../domain/errors.ts';
import type { Admit } from '../../gateway/admit.ts';
import type { Caller } from '../../gateway/caller.ts';
import { admitRequest, callerOf, endHook } from '../http/admission.ts';
import { bodyOf, readBodies } from '../http/body-reader.ts';
import { sendJson } from '../http/json-reply.ts';

export interface DataRoute {
  readonly method: 'GET' | 'POST';
  /** Below /app/data, such as `/audit`. */
  readonly path: string;
  /** @throws ServiceError `permission_denied`. It runs before the body is read. */
  readonly authorize: (caller: Caller) => void;
  /** Resolves to a value for JSON. */
  readonly answer: (input: DataInput, caller: Caller) => Promise<object>;
}

/** Strings of the query of a GET, or members of the JSON object of a POST. */
export type DataInput = ReadonlyMap<string, unknown>;

const BODY_LIMIT = 65_536;

export function registerDataRoutes(app: FastifyInstance, routes: readonly DataRoute[], admit: Admit): void {
  app.register(async (scope) => {
    readBodies(scope);
    for (const { method, path, authorize, answer } of routes) {
      scope.route({
        method,
        url: `/app/data${path}`,
        bodyLimit: BODY_LIMIT,
        onRequest: (request, reply, done) => endHook(admitRequest(admit, request, reply), authorize, done),
        handler: async (request, reply) => {
          const json = JSON.stringify(await answer(inputOf(request), callerOf(request)));
          return sendJson(reply.header('cache-control', 'no-store'), json);
        },
      });
    }
  });
}

function inputOf(request: FastifyRequest): DataInput {
  if (request.method === 'GET') return new Map(new URLSearchParams(request.url.split('?', 2)[1] ?? ''));
  const body = bodyOf(request).toString();
  return new Map(Object.entries(objectIn(body === '' ? '{}' : body)));
}

function objectIn(json: string): object {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // Below: what is no JSON is no object either.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw invalidArgument([{ field: '', description: 'the body must be a JSON object' }]);
}

/** Refuses members that a route does not know, so that a typing error is not taken for an empty filter. */
export function requireKnown(input: DataInput, names: readonly string[]): void {
  const faults = [...input.keys()]
    .filter((name) => !names.includes(name))
    .map((field) => ({ field, description: `is unknown; known are ${names.join(', ')}` }));
  if (faults.length > 0) throw invalidArgument(faults);
}

/** A text of 1 to 512 characters. Undefined if it is missing or empty. */
export function textIn(input: DataInput, field: string): string | undefined {
  const value = input.get(field) ?? '';
  if (typeof value !== 'string' || value.length > 512) {
    throw invalidArgument([{ field, description: 'must be a text of at most 512 characters' }]);
  }
  return value === '' ? undefined : value;
}

/** A whole number from 1 on. */
export function countIn(input: DataInput, field: string, most: number): number | undefined {
  const text = textIn(input, field);
  if (text === undefined) return undefined;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= most) return value;
  throw invalidArgument([{ field, description: `must be a whole number from 1 to ${most}` }]);
}
