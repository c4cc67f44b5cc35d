// HTTP requests as behaviour codes. A plain request is a probe; a payload of a known form is an exploit.
//
// The patterns run on hostile text. Each is a plain alternation without nested repetition and therefore linear.

import type { EvidenceDecoders } from './evidence-key.ts';
import { codeName } from './protocol-code.ts';

const TEXT_LIMIT = 4_096;

/** Forms that only attackers send: JNDI lookups, path traversals, shell and SQL fragments, script tags. */
const PAYLOAD =
  /\$(?:\{|%7b)(?:jndi|lower|upper|env|sys)?:|\(\) ?\{|\.\.[/\\]\.\.|%2e%2e(?:%2f|\/)|\/etc\/passwd|\bunion(?:\s|\+|%20)(?:all(?:\s|\+|%20))?select\b|<script\b|%3cscript\b|(?:;|\||%3b|%7c|`|\$\()\s?(?:wget|curl|sh|bash|nc|cat|rm|cd)(?:\s|\+|%20|\$\{?IFS)|\b(?:php:\/\/input|allow_url_include|auto_prepend_file)\b/i;

/** Requests to an exposed Docker Engine API. */
const CONTAINER_CREATE = /^(?:\/v\d[\d.]{0,6})?\/containers\/create\b/;
const CONTAINER_EXEC =
  /^(?:\/v\d[\d.]{0,6})?\/(?:containers\/[\w.-]{1,128}\/exec|exec\/[\w.-]{1,128}\/start)\b/;

/** Attack names of Tanner and of rule sets that mean an attempted exploit, not a probe. */
const ATTACKS: ReadonlySet<string> = new Set([
  'sqli',
  'rfi',
  'lfi',
  'cmdexec',
  'xss',
  'xxeinjection',
  'phpcodeinjection',
  'phpobjectinjection',
  'templateinjection',
  'crlf',
]);

export const HTTP_EVIDENCE: EvidenceDecoders = {
  'http.method': () => 'http:request',
  'http.path': (value) => {
    const path = value.slice(0, TEXT_LIMIT);
    if (CONTAINER_CREATE.test(path)) return 'http:create-container';
    if (CONTAINER_EXEC.test(path)) return 'http:run-in-container';
    return PAYLOAD.test(path) ? 'http:exploit' : 'http:request';
  },
  'http.body': (value) => (PAYLOAD.test(value.slice(0, TEXT_LIMIT)) ? 'http:exploit' : undefined),
  'http.user_agent': (value) => (PAYLOAD.test(value.slice(0, TEXT_LIMIT)) ? 'http:exploit' : undefined),
  'http.attack': (value) => (ATTACKS.has(codeName(value)) ? 'http:exploit' : 'http:request'),
};
