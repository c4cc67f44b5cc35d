// The patterns of the feed (STIX 2.1 §9): their forms, and whether their values are valid.
// A validator checks the grammar only and accepts `[ipv4-addr:value = 'nonsense']` and `hashes.SHA256`.

import { isIPv4, isIPv6 } from 'node:net';

type Holds = (literal: string) => boolean;

function hex(length: number): Holds {
  return (literal) => literal.length === length && /^[0-9a-f]+$/.test(literal);
}

const isDomain: Holds = (literal) => literal.includes('.') && !/[\sA-Z'"/]|[^!-~]/.test(literal);

const isNetwork =
  (isAddress: Holds, bits: number): Holds =>
  (literal) => {
    const [, address = '', prefix] = /^(.+)\/(\d{1,3})$/.exec(literal) ?? [];
    return isAddress(address) && Number(prefix) <= bits;
  };

/** By object path and operator. Hashes are named as in `hash-algorithm-ov`, with quotes where there is a hyphen. */
const FORMS: Readonly<Record<string, Holds>> = {
  'ipv4-addr:value =': isIPv4,
  'ipv6-addr:value =': (literal) => isIPv6(literal) && literal === literal.toLowerCase(),
  'ipv4-addr:value ISSUBSET': isNetwork(isIPv4, 32),
  'ipv6-addr:value ISSUBSET': isNetwork(isIPv6, 128),
  'domain-name:value =': isDomain,
  'url:value =': URL.canParse,
  'email-addr:value =': (literal) => isDomain(literal.slice(literal.lastIndexOf('@') + 1)),
  'file:hashes.MD5 =': hex(32),
  "file:hashes.'SHA-1' =": hex(40),
  "file:hashes.'SHA-256' =": hex(64),
  "x509-certificate:hashes.'MD5' =": hex(32),
  "x509-certificate:hashes.'SHA-1' =": hex(40),
  "x509-certificate:hashes.'SHA-256' =": hex(64),
};

/** One comparison, with a literal in which quotes and backslashes are escaped. */
const COMPARISON = /^\[(?<form>\S+ (?:=|ISSUBSET)) '(?<literal>(?:[^'\\]|\\['\\])*)'\]$/su;
/** A pattern with an extension of the service, which must be defined. */
const JA3 = /^network-traffic:extensions\.'(?<extension>extension-definition--[0-9a-f-]{36})'\.ja3 =$/;

/**
 * The faults of a pattern.
 * @param name of the indicator, which is what the pattern looks for.
 * @param extensions ids of the extensions that are defined.
 */
export function patternFaults(
  pattern: string,
  name: unknown,
  extensions: Pick<ReadonlySet<string>, 'has'>,
): readonly string[] {
  const { form = '', literal = '' } = COMPARISON.exec(pattern)?.groups ?? {};
  const ja3 = JA3.exec(form)?.groups?.extension;
  const holds = ja3 !== undefined && extensions.has(ja3) ? hex(32) : FORMS[form];
  if (holds === undefined) return [`the pattern is of no known form: ${pattern}`];
  const value = literal.replaceAll(/\\(['\\])/g, '$1');
  return [
    ...(holds(value) ? [] : [`no such value can be: ${pattern}`]),
    ...(value === name ? [] : [`the pattern does not look for ${String(name)}: ${pattern}`]),
  ];
}
