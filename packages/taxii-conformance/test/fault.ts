// Building blocks of faults.

import type { Fault, ModelAnswer, ModelRequest } from './model-server.ts';

export type Body = Record<string, unknown>;

export const OBJECTS = /\/collections\/[^/]+\/objects\/$/;
export const MANIFEST = /\/manifest\/$/;
export const ONE = /\/objects\/[^/]+\/$/;
export const VERSIONS = /\/versions\/$/;
export const DISCOVERY = /^\/taxii2\/$/;
export const COLLECTIONS = /\/collections\/$/;
export const STATUS = /\/status\/[^/]+\/$/;

/** Changes the bodies of successful answers at some paths. */
export function body(path: RegExp, change: (body: Body, request: ModelRequest) => unknown): Fault {
  return (request, serve) => {
    const answer = serve(request);
    if (!path.test(request.path) || answer.status >= 300 || answer.body === undefined) return answer;
    return { ...answer, body: change(structuredClone(answer.body) as Body, request) };
  };
}

/** Changes each item of the list of some paths. */
export function items(path: RegExp, change: (item: Body) => unknown, member = 'objects'): Fault {
  return body(path, (page) => {
    const list = page[member];
    return Array.isArray(list) ? { ...page, [member]: list.map(change) } : page;
  });
}

/** Changes every object of one type. */
export function stix(type: string, change: Body): Fault {
  return items(/\/objects\//, (object) => (object.type === type ? { ...object, ...change } : object));
}

export function headers(path: RegExp, change: (value: string, name: string) => string | undefined): Fault {
  return (request, serve) => {
    const answer = serve(request);
    if (!path.test(request.path)) return answer;
    const entries = Object.entries(answer.headers).flatMap(([name, value]) => {
      const changed = change(value, name);
      return changed === undefined ? [] : [[name, changed] as const];
    });
    return { ...answer, headers: Object.fromEntries(entries) };
  };
}

/** Answers some requests with another status. */
export function refuse(status: number, applies: (request: ModelRequest) => boolean): Fault {
  return (request, serve) => {
    const answer = serve(request);
    if (!applies(request)) return answer;
    const type = { 'content-type': 'application/taxii+json;version=2.1' };
    return {
      status,
      headers: { ...answer.headers, ...type },
      body: { title: 'Refused', http_status: String(status) },
    };
  };
}

/** Changes requests before the model gets them. */
export function asked(path: RegExp, change: (query: URLSearchParams, request: ModelRequest) => void): Fault {
  return (request, serve) => {
    if (!path.test(request.path)) return serve(request);
    const query = new URLSearchParams(request.query);
    change(query, request);
    return serve({ ...request, query });
  };
}

/** Corrects a parameter before the model sees it. */
export function lenient(name: string, isWrong: (value: string) => boolean): Fault {
  return asked(/./, (query) => {
    if (query.getAll(name).some(isWrong)) query.delete(name);
  });
}

export function withHeaders(request: ModelRequest, change: ModelRequest['headers']): ModelRequest {
  return { ...request, headers: { ...request.headers, ...change } };
}

export function plain(status: number, text: string): ModelAnswer {
  return { status, headers: { 'content-type': 'text/html' }, body: text };
}

export const accept = (request: ModelRequest) => request.headers.accept ?? '';
export const isDateHeader = (name: string) => name.startsWith('x-taxii');
export const isEmpty = (answer: ModelAnswer) => {
  const { objects, versions } = (answer.body ?? {}) as Body;
  return objects === undefined && versions === undefined;
};
export const without = (name: string) => (object: Body) => {
  const { [name]: _, ...rest } = object;
  return rest;
};
export const reversed = (page: Body) => ({
  ...page,
  objects: (page.objects as unknown[] | undefined)?.toReversed(),
});

/** A way in which a server breaks the standard. */
export interface Flaw {
  readonly name: string;
  readonly fault: Fault;
  /** Titles of all rules that it breaks. */
  readonly broken: readonly string[];
  /** Changes the start address of the suite. */
  readonly begin?: (address: URL) => void;
}

/** An API root with a path of its own, named by discovery. */
export function rootAt(root: string): Fault {
  return (request, serve) => {
    if (request.path.startsWith(root))
      return serve({ ...request, path: request.path.replace(root, '/taxii2/') });
    return body(DISCOVERY, (about) => ({ ...about, default: root, api_roots: [root] }))(request, serve);
  };
}

/** Combines faults. */
export function together(faults: readonly Fault[]): Fault {
  return (request, serve) =>
    faults.reduceRight<typeof serve>((inner, fault) => (asking) => fault(asking, inner), serve)(request);
}
