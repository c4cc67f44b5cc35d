// A schema of the OpenAPI document as a table of its members.

import { type Html, html, prose } from './html.ts';

/** What the page reads of a schema. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

export function schemaSection(name: string, schema: Schema): Html {
  return html`<section id="schema-${name}"><h3>${name}</h3>${prose(schema.description)}${memberTable(schema)}${
    schema.description?.includes('\n- ') === true ? undefined : valueList(schema)
  }</section>
`;
}

function valueList({ enum: values }: Schema): Html | undefined {
  return values === undefined
    ? undefined
    : html`<ul>${values.map((value) => html`<li><code>${value}</code></li>`)}</ul>`;
}

function memberTable({ properties, required = [] }: Schema): Html | undefined {
  if (properties === undefined) return undefined;
  return html`<table><tr><th>Member</th><th>Type</th><th>Meaning</th></tr>${Object.entries(properties).map(
    ([name, schema]) =>
      html`<tr><td><code>${name}</code>${required.includes(name) ? html`<b>required</b>` : undefined}</td><td>${typeText(schema)}${limitText(schema)}</td><td>${prose(schema.description)}${memberTable(schema.items ?? {})}</td></tr>`,
  )}</table>`;
}

/** `string date-time`, `Severity`, `list of Severity`. */
export function typeText(schema: Schema): Html {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`;
  if (schema.type === 'array')
    return html`list of ${typeText(schema.items ?? {})}${limitText(schema.items ?? {})}`;
  if (typeof schema.additionalProperties === 'object')
    return html`map of ${typeText(schema.additionalProperties)}${limitText(schema.additionalProperties)}`;
  return html`${[schema.type, schema.format].filter((part) => part !== undefined).join(' ')}`;
}

function limitText(schema: Schema): Html | undefined {
  const bounds = [
    boundText(schema.minimum, schema.maximum, ''),
    boundText(schema.minLength, schema.maxLength, ' characters'),
    boundText(schema.minItems, schema.maxItems, ' items'),
    boundText(schema.minProperties, schema.maxProperties, ' entries'),
  ].filter((bound) => bound !== '');
  return bounds.length === 0 ? undefined : html`<small>${bounds.join(', ')}</small>`;
}

function boundText(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return '';
  return most === undefined ? `at least ${least}${unit}` : `${least ?? 0} to ${most}${unit}`;
}
