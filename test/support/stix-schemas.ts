// The JSON schemas that OASIS publishes for STIX 2.1 (third_party/oasis-stix-schemas), as faults of one object. Beside
// what they demand: what their validator warns of by the words in them, since nothing of ours is to raise a warning.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { inWords } from './json-schema.ts';
import type { StixObject } from './wire.ts';

interface Schema {
  readonly $id: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly definitions?: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
}

const FOLDER = fileURLToPath(new URL('../../third_party/oasis-stix-schemas/schemas', import.meta.url));

/** Open vocabularies by type and member, under the names that the schema of the type gives them. */
const VOCABULARIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  identity: { identity_class: 'identity-class-ov', sectors: 'industry-sector-ov' },
  indicator: { indicator_types: 'indicator-type-ov', pattern_type: 'pattern-type-ov' },
  location: { region: 'region-ov' },
  malware: {
    malware_types: 'malware-type-ov',
    architecture_execution_envs: 'processor-architecture-ov',
    implementation_languages: 'implementation-language-ov',
    capabilities: 'malware-capabilities-ov',
  },
};

const schemas = new Map<string, Schema>(
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => [basename(name, '.json'), JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))]),
);

const ajv = new Ajv2020({
  strictSchema: true,
  // They constrain members whose type another of them states, and escape the hyphen, which the flag `u` forbids.
  strictTypes: false,
  unicodeRegExp: false,
  allErrors: true,
  formats: { uri: (text: string) => URL.canParse(text) },
});
// Schemas refer to each other by `$id`. Nothing is fetched.
ajv.addSchema([...schemas.values()]);

/** The faults of an object by the OASIS schema of its type and the vocabularies in it. */
export function schemaFaults(object: StixObject): readonly string[] {
  const { id, type } = object;
  const checks = checksOf(type);
  if (checks === undefined) return [`${id}: there is no schema of ${type}`];
  const { schema, check, members } = checks;
  check(object);
  const custom = Object.keys(object).filter((name) => !members.has(name));
  return [
    ...inWords(check.errors),
    ...custom.map((name) => `${name} is a custom member, where an extension should be`),
    ...vocabularyFaults(object, schema),
  ].map((fault) => `${id}: ${fault}`);
}

interface Checks {
  readonly schema: Schema;
  readonly check: ValidateFunction;
  readonly members: ReadonlySet<string>;
}

const checksByType = new Map<string, Checks>();

/** Compiled for the first object of the type. */
function checksOf(type: string): Checks | undefined {
  const known = checksByType.get(type);
  if (known !== undefined) return known;
  const schema = schemas.get(type);
  const check = schema && ajv.getSchema(schema.$id);
  if (schema === undefined || check === undefined) return undefined;
  const checks = { schema, check, members: new Set(membersOf(schema)) };
  checksByType.set(type, checks);
  return checks;
}

/** The members of a schema, including those of the schemas it is composed of. */
function membersOf(schema: Schema): readonly string[] {
  const referred = schemas.get(basename(schema.$ref ?? '', '.json'));
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(referred ? [referred] : [])];
  return [...Object.keys(schema.properties ?? {}), ...parts.flatMap(membersOf)];
}

function vocabularyFaults(object: StixObject, { definitions = {} }: Schema): readonly string[] {
  return Object.entries(VOCABULARIES[object.type] ?? {}).flatMap(([member, vocabulary]) =>
    [object[member] ?? []]
      .flat()
      .filter((word) => definitions[vocabulary]?.enum?.includes(String(word)) !== true)
      .map((word) => `${member}: ${String(word)} is not in ${vocabulary}`),
  );
}
