// Writes the messages of the contract as TypeScript types for the web application, from the OpenAPI document.
// `npm run proto:generate` runs this script last.

import { writeFileSync } from 'node:fs';
import {
  ApiKeyService,
  IndicatorService,
  SensorEventService,
  UsageService,
} from '../src/protojson/contract.ts';
import { openApiDocument } from '../src/protojson/openapi.ts';

interface Schema {
  readonly type?: string;
  readonly $ref?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

const { components } = openApiDocument([
  IndicatorService,
  SensorEventService,
  ApiKeyService,
  UsageService,
]) as { readonly components: { readonly schemas: Readonly<Record<string, Schema>> } };

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.slice('#/components/schemas/'.length);
  if (schema.enum !== undefined) return schema.enum.map((value) => `'${value}'`).join(' | ');
  if (schema.type === 'array') return `readonly ${wrapped(typeOf(schema.items ?? {}, indent))}[]`;
  if (schema.properties !== undefined) return membersOf(schema, indent);
  if (typeof schema.additionalProperties === 'object') {
    return `Readonly<Record<string, ${typeOf(schema.additionalProperties, indent)}>>`;
  }
  if (schema.type === 'object') return 'Readonly<Record<string, unknown>>';
  if (schema.type === 'integer') return 'number';
  return schema.type ?? 'unknown';
}

function wrapped(type: string): string {
  return type.includes(' ') ? `(${type})` : type;
}

function membersOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const lines = Object.entries(properties).map(([name, schema]) => {
    const key = /^\w+$/.test(name) ? name : `'${name}'`;
    return `${indent}  readonly ${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema, `${indent}  `)};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

const types = Object.entries(components.schemas)
  .filter(([name]) => name !== 'protobufAny' && name !== 'rpcStatus')
  .map(([name, schema]) => `export type ${name} = ${typeOf(schema, '')};\n`);
const opening =
  '// The messages of the contract as JSON. Made by bin/generate-web-types.ts; never edit it.\n';
writeFileSync(new URL('../web/src/api/contract.ts', import.meta.url), [opening, ...types].join('\n'));
