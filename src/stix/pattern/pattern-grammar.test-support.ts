// A strict parser for the part of the STIX pattern grammar (STIX 2.1 §9) that our patterns use: one comparison.

import assert from 'node:assert/strict';

const IDENTIFIER = '[a-z0-9][a-z0-9-]*';
const LITERAL = String.raw`'(?:[^'\\]|\\'|\\\\)*'`;
const COMPARISON = new RegExp(
  `^\\[(?<object>${IDENTIFIER}):(?<path>[A-Za-z_]\\w*(?:\\.(?:[A-Za-z_]\\w*|${LITERAL}))*) (?<operator>=|ISSUBSET) (?<literal>${LITERAL})\\]$`,
);

/** Asserts that the pattern is one comparison and returns its parts. */
export function parsePattern(pattern: string): {
  object: string;
  path: string;
  operator: string;
  value: string;
} {
  const groups = COMPARISON.exec(pattern)?.groups;
  assert.ok(groups, `not a pattern: ${pattern}`);
  const { object = '', path = '', operator = '', literal = '' } = groups;
  const value = literal.slice(1, -1).replaceAll(/\\(.)/gs, '$1');
  return { object, path, operator, value };
}
