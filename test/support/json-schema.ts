// The part of JSON Schema that the OpenAPI document of the service uses: what is wrong with a value, in words.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
}

const FORMATS: Readonly<Record<string, (value: unknown) => boolean>> = {
  'date-time': (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}){0,3}Z$/.test(String(value)),
  uint64: (value) => /^(0|[1-9]\d{0,19})$/.test(String(value)),
  int32: Number.isInteger,
  int64: Number.isInteger,
  double: Number.isFinite,
};

/** Members that no schema names are faults: a document that leaves out what is sent is wrong. */
export function schemaFaults(
  value: unknown,
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
  path = '$',
): readonly string[] {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace('#/components/schemas/', '');
    const target = schemas[name];
    return target === undefined ? [`${path}: no schema ${name}`] : schemaFaults(value, target, schemas, path);
  }
  const { type, format, properties = {}, required = [], additionalProperties = false } = schema;
  if (typeOf(value) !== (type === 'integer' ? 'number' : type))
    return [`${path}: ${typeOf(value)}, not ${type}`];
  if (schema.enum !== undefined && !schema.enum.includes(String(value)))
    return [`${path}: not a value of the enum`];
  if (format !== undefined && FORMATS[format]?.(value) !== true)
    return [`${path}: not ${format}: ${String(value)}`];
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return [`${path}: the schema does not say what is listed`];
    return value.flatMap((item, index) => schemaFaults(item, items, schemas, `${path}[${index}]`));
  }
  if (typeof value !== 'object' || value === null) return [];
  const faults = required.filter((name) => !(name in value)).map((name) => `${path}: ${name} is missing`);
  for (const [name, member] of Object.entries(value)) {
    const known = properties[name] ?? additionalProperties;
    if (known === false) faults.push(`${path}: ${name} is not in the document`);
    else if (known !== true) faults.push(...schemaFaults(member, known, schemas, `${path}.${name}`));
  }
  return faults;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
