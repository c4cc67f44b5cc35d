// Checks a value against the schemas of an OpenAPI 3.1 document (JSON Schema 2020-12).

import { Ajv2020, type ErrorObject, type Format } from 'ajv/dist/2020.js';

export type Schemas = Readonly<Record<string, { readonly enum?: readonly string[] }>>;

/** Formats as the document means them; a schema with one that is not here cannot be compiled. */
const FORMATS: Readonly<Record<string, Format>> = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}){0,3}Z$/,
  uint64: /^(0|[1-9]\d{0,19})$/,
  int32: { type: 'number', validate: Number.isInteger },
  int64: { type: 'number', validate: Number.isInteger },
  double: { type: 'number', validate: Number.isFinite },
};

/**
 * Gives the faults of a value by one schema.
 * @param schemas what `#/components/schemas/` holds.
 */
export function schemaChecker(schemas: Schemas): (value: unknown, schema: object) => readonly string[] {
  const ajv = new Ajv2020({ strict: true, allErrors: true, formats: FORMATS });
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(closed(schema), name);
  return (value, schema) => {
    const check = ajv.compile(closed(schema));
    check(value);
    return inWords(check.errors);
  };
}

/** The errors of a compiled schema, each with its path in the value. */
export function inWords(errors: readonly ErrorObject[] | null | undefined): readonly string[] {
  return (errors ?? []).map(
    ({ instancePath, message, params }) => `$${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/**
 * The schema without room for more: what no schema names is a fault, since a document that leaves out what is sent is
 * wrong. References become the names under which the schemas are known.
 */
export function closed(schema: object): object {
  const text = JSON.stringify(schema).replaceAll('"#/components/schemas/', '"');
  return JSON.parse(text, (_name, value) => {
    if (value?.type === 'object') return { additionalProperties: false, ...value };
    return value?.type === 'array' ? { items: false, ...value } : value;
  });
}
