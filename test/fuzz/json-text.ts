// JSON text by a schema of the OpenAPI document: mostly valid, so that it passes the decoder, with odd values and faults
// everywhere.

import fc, { type Arbitrary } from 'fast-check';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

/** Named schemas; `$ref` ends with the name of one. */
export type Schemas = Readonly<Record<string, Schema>>;

const MAX_DEPTH = 5;

/** Words with a meaning somewhere below: in JSON, JavaScript, SQL, full-text queries, regular expressions, STIX, URLs. */
const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u200b\ufeff',
  '\u202egnp.exe',
  '__proto__',
  'constructor',
  'null',
  '"',
  '\\',
  '""',
  '"unclosed',
  '*',
  'a*',
  'NEAR(a b, 5)',
  'a AND NOT b',
  't3 OR t4',
  'type:3',
  "' OR 1=1 --",
  '%',
  '_',
  '(a+)+$',
  '[',
  "indicator--x' OR '",
  '../../etc/passwd',
  'http://[::1',
  'hxxp://evil[.]example[.]net/a?b#c',
  'https://user:pass@example.net:99999/',
  'xn--',
  'xn--a-ecp.example.net',
  'a..b.example',
  `${'a.'.repeat(130)}example`,
  '192.0.2.1',
  '192[.]0[.]2[.]1',
  '0x7f.1',
  '10.0.0.1',
  '192.0.2.0/24',
  '0.0.0.0/0',
  '::ffff:192.0.2.1',
  '2001:db8::1%eth0',
  '2001:db8::/129',
  'd41d8cd98f00b204e9800998ecf8427e',
  'A'.repeat(64),
  'a@b@example.net',
  '🜁🔑',
  'x'.repeat(300),
  'é'.repeat(2_000),
];

const ODD_TIMES = [
  '2026-11-20T12:00:00Z',
  '2026-11-20T12:00:00.123456789+23:59',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '1970-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-11-20',
];

/** Values as JSON text, including numbers beyond a double. */
const ODD_VALUES = [
  ...['null', 'true', '0', '-0', '-1', '1.5', '1e3', '1e400', '-1e400', '4294967296', '18446744073709551616'],
  ...['9007199254740993', '1e-400', '"NaN"', '"Infinity"', '"1"', '[]', '{}', '[null]', '[[]]', '{"":{}}'],
  ...['"\\ud800"', '"\\u0000"', 'NaN', 'undefined', "'x'", '01', '', '{', '[', '"'],
  `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
];

export const oddText: Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.ipV4() },
  { weight: 1, arbitrary: fc.domain() },
  { weight: 1, arbitrary: fc.webUrl() },
);
const quoted = oddText.map((text) => JSON.stringify(text));
const oddValue = fc.oneof(fc.constantFrom(...ODD_VALUES), quoted, fc.json());

/** JSON text for a schema. One value in forty breaks the schema. */
export function jsonText(schema: Schema, schemas: Schemas, depth = 0): Arbitrary<string> {
  const right = depth > MAX_DEPTH ? fc.constant('null') : rightText(resolve(schema, schemas), schemas, depth);
  return fc.oneof({ weight: 39, arbitrary: right }, { weight: 1, arbitrary: oddValue });
}

function resolve(schema: Schema, schemas: Schemas): Schema {
  return schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
}

function rightText(schema: Schema, schemas: Schemas, depth: number): Arbitrary<string> {
  const { type, format, items, properties = {}, additionalProperties } = schema;
  if (schema.enum !== undefined) {
    const names = schema.enum.map((name) => JSON.stringify(name));
    return fc.oneof(fc.constantFrom(...names), fc.nat({ max: names.length + 1 }).map(String));
  }
  if (type === 'array') {
    const element = jsonText(items ?? {}, schemas, depth + 1);
    return fc.array(element, { maxLength: 3 }).map((elements) => `[${elements.join()}]`);
  }
  if (type === 'object') {
    const extra = typeof additionalProperties === 'object' ? additionalProperties : {};
    const known = Object.entries(properties).map(([name, member]) =>
      fc.tuple(fc.constantFrom(name, snakeCase(name)), jsonText(member, schemas, depth + 1)),
    );
    const foreign = fc.tuple(oddText, jsonText(extra, schemas, depth + 1));
    return fc
      .array(
        fc.oneof(...known.map((arbitrary) => ({ weight: 4, arbitrary })), { weight: 1, arbitrary: foreign }),
        {
          maxLength: 8,
        },
      )
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`);
  }
  if (type === 'integer' || type === 'number') {
    return fc.oneof(fc.nat({ max: 1_000 }), fc.double({ noNaN: true, noDefaultInfinity: true })).map(String);
  }
  if (type === 'boolean') return fc.boolean().map(String);
  if (format === 'date-time') return fc.constantFrom(...ODD_TIMES).map((text) => JSON.stringify(text));
  if (format === 'uint64') return fc.bigInt({ min: 0n, max: 2n ** 64n }).map((value) => `"${value}"`);
  return quoted;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
