// The methods that each path has: they decide between 405 with Allow (RFC 9110 §15.5.6) and 404.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { ServiceError } from '../../domain/errors.ts';
import { HttpError } from './errors.ts';

/** The methods of a path, sorted; empty for an unknown path. */
export type AllowedMethods = (path: string) => readonly string[];

interface KnownPath {
  readonly pattern: RegExp;
  readonly isLiteral: boolean;
  readonly methods: Set<string>;
}

const SYNTAX = /::|:\w+(?:\([^)]*\))?|\*|[^:*]+/g;

/** Collects the routes that are added from now on. A literal path hides patterns: `/v1/indicators/search` is no indicator. */
export function collectAllowedMethods(app: FastifyInstance): AllowedMethods {
  const known = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? {
      pattern: patternOf(url),
      isLiteral: !/[*]|(?<!:):(?!:)/.test(url),
      methods: new Set<string>(),
    };
    for (const name of typeof method === 'string' ? [method] : method) entry.methods.add(name);
    known.set(url, entry);
  });
  return (path) => {
    const matching = [...known.values()].filter(({ pattern }) => pattern.test(path));
    const literal = matching.filter(({ isLiteral }) => isLiteral);
    const deciding = literal.length > 0 ? literal : matching;
    return [...new Set(deciding.flatMap(({ methods }) => [...methods]))].sort();
  };
}

/** The error for a request without a route: 405 and Allow if the path has other methods, otherwise 404. */
export function routeNotFound(allowed: readonly string[], reply: FastifyReply): ServiceError {
  if (allowed.length === 0) {
    return new ServiceError('not_found', 'no such path', { reason: 'PATH_NOT_FOUND' });
  }
  reply.header('allow', allowed.join(', '));
  return new HttpError(405, 'unimplemented', 'the path does not know this method', 'METHOD_NOT_ALLOWED');
}

/** Fastify's path syntax (`::` for a colon, `:name`, `:name(^regex)`, `*`) as a regular expression. */
function patternOf(url: string): RegExp {
  const source = url.replace(SYNTAX, (part) => {
    if (part === '::') return ':';
    if (part === '*') return '.*';
    if (!part.startsWith(':')) return part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
    const own = /\(\^?(.*?)\$?\)$/.exec(part)?.[1];
    // A parameter never contains a slash.
    return own === undefined ? '[^/]+' : `(?=[^/]+)(?:${own.replaceAll('[^', '[^/')})`;
  });
  return new RegExp(`^${source}$`);
}
