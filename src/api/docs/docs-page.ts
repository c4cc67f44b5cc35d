// The page at /docs: the OpenAPI document as one HTML page, without a script and without anything from another host.

import { type Html, html, prose } from './html.ts';
import { type Schema, schemaSection, typeText } from './schema-table.ts';

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

interface Answer {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Content;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
    readonly schema: Schema;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Answer>>;
}

/** What the page reads of the document. */
interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Answer>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
}

interface Place {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const JSON_TYPE = 'application/json';

/** @param document the object that openApiDocument makes. */
export function docsPage(document: object): string {
  const { info, tags, paths, components } = document as Document;
  const places = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const groups = tags.map(({ name, description }) => ({
    name,
    description,
    places: places.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const credentials = Object.values(components.securitySchemes).flatMap(({ description }) =>
    prose(description),
  );
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${info.title}</title><link rel="stylesheet" href="/docs/style.css"></head><body>
<nav><h2>${info.title}</h2>${groups.map(
    (group) =>
      html`<h3>${group.name}</h3><ul>${group.places.map(
        ({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`,
      )}</ul>`,
  )}<h3><a href="#schemas">Schemas</a></h3></nav>
<main><h1>${info.title} <small>${info.version}</small></h1>${prose(info.description)}
<p>The document for tools: <a href="/openapi.json">/openapi.json</a>.</p>
<h2>Credentials</h2><p>Every operation needs the header <code>Authorization</code>.</p>${credentials}
${groups.map(
  (group) =>
    html`<h2>${group.name}</h2>${prose(group.description)}${group.places.map((place) => operationSection(place, components.responses))}`,
)}<h2 id="schemas">Schemas</h2>
${Object.entries(components.schemas).map(([name, schema]) => schemaSection(name, schema))}</main></body></html>
`.markup;
}

function operationSection(place: Place, refusals: Document['components']['responses']): Html {
  const { method, path, operation } = place;
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  return html`<section id="${operationId}"><h3>${summary}</h3><p class="path"><b>${method}</b> <code>${path}</code></p>
${prose(description)}${
  parameters.length === 0
    ? undefined
    : html`<h4>Parameters</h4><table>${parameters.map(
        ({ name, in: where, description: meaning, schema }) =>
          html`<tr><td><code>${name}</code><b>${where}</b></td><td>${typeText(schema)}</td><td>${prose(meaning)}</td></tr>`,
      )}</table>`
}${requestBody === undefined ? undefined : html`<h4>Body${requestBody.required ? '' : ' (may be left out)'}: ${bodyType(requestBody.content)}</h4>`}<pre>${curlOf(place)}</pre>
${Object.entries(responses).map(([status, answer]) => answerText(status, answer, refusals))}</section>
`;
}

function bodyType(content: Content): Html | undefined {
  const body = content[JSON_TYPE];
  return body === undefined ? undefined : typeText(body.schema);
}

/** A command that can be pasted: the key stands in the variable TIS_KEY. */
function curlOf({ method, path, operation: { parameters = [], requestBody } }: Place): string {
  const target = parameters
    .filter((one) => one.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  const body = requestBody?.content[JSON_TYPE]?.example;
  const verb = method === 'GET' || body !== undefined ? '' : ` -X ${method}`;
  const data =
    body === undefined ? '' : ` \\\n  --json '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`;
  return `curl${verb} "$TIS_URL${target}" -H "Authorization: Bearer $TIS_KEY"${data}`;
}

function answerText(status: string, answer: Answer, refusals: Document['components']['responses']): Html {
  const refusal = refusals[answer.$ref?.replace('#/components/responses/', '') ?? ''];
  const { description, content = {} } = refusal ?? answer;
  const example = content[JSON_TYPE]?.example;
  return html`<details><summary><b>${status}</b> ${description} ${bodyType(content)}</summary>${
    example === undefined ? undefined : html`<pre>${JSON.stringify(example, null, 2)}</pre>`
  }</details>
`;
}
