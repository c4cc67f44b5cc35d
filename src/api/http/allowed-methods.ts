// Which methods a path knows: what tells a wrong method (405 with Allow, RFC 9110 §15.5.6) from an unknown path (404).

import type { FastifyInstance } from 'fastify';

interface KnownPath {
  readonly url: string;
  readonly pattern: RegExp;
  readonly isLiteral: boolean;
  readonly methods: Set<string>;
}

const SYNTAX = /::|:\w+(?:\([^)]*\))?|\*|[^:*]+/g;

/**
 * Watches the routes that are added from now on. The function returned gives the methods of a path, empty when it is
 * unknown. A literal path hides patterns: `/v1/indicators/search` is not an indicator.
 */
export function watchRoutes(app: FastifyInstance): (path: string) => readonly string[] {
  const known = new Map<string, KnownPath>();
  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? {
      url,
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

/** Fastify's path syntax (`::` for a colon, `:name`, `:name(^regex)`, `*`) as a regular expression. */
function patternOf(url: string): RegExp {
  const source = url.replace(SYNTAX, (part) => {
    if (part === '::') return ':';
    if (part === '*') return '.*';
    if (!part.startsWith(':')) return part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
    const own = /\(\^?(.*?)\$?\)$/.exec(part)?.[1];
    // A slash is never part of a parameter.
    return own === undefined ? '[^/]+' : `(?=[^/]+)(?:${own.replaceAll('[^', '[^/')})`;
  });
  return new RegExp(`^${source}$`);
}
