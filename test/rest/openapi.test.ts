// GET /openapi.json against the running service: the documented operations exist, and answers match their schemas.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { send } from '../support/http-client.ts';
import { type Schemas, schemaChecker } from '../support/json-schema.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent } from '../support/sensor-events.ts';

type Content = Readonly<Record<string, { readonly schema: object; readonly example?: object }>>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string; readonly license: { readonly identifier: string } };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Schemas;
    readonly responses: Readonly<Record<string, { readonly content: Content }>>;
    readonly securitySchemes: Readonly<Record<string, { type: string; in: string; name: string }>>;
  };
}

/** Parameters that select one thing of a list, which the store does not have under the id of the example. */
const ONE_THING = new Set(['endsWithId', 'pageToken']);

let service: RunningService;
let document: Document;
let operations: readonly { path: string; method: string; operation: Operation }[];
/** Those with one answer in JSON. A stream does not end (watch.test.ts). */
let answered: typeof operations;
let faultsOf: ReturnType<typeof schemaChecker>;
let administrator: string;
let person: string;
let id: string;

before(async () => {
  service = await RunningService.start();
  document = (await send(`${service.url}/openapi.json`)).expect(200);
  faultsOf = schemaChecker(document.components.schemas);
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  answered = operations.filter(({ operation }) => operation.responses['200']?.content?.['application/json']);
  administrator = await service.key({ scopes: ['admin'] });
  person = service.token('admin');
  const { results } = await service.as(administrator).ingest([
    anEvent({
      categories: ['THREAT_CATEGORY_SCANNER'],
      tags: ['t'],
      labels: [{ key: 'k', value: 'v' }],
      tlp: 'TLP_MARKING_AMBER',
    }),
  ]);
  id = results[0]!.indicatorId;
  await service.settled();
});
after(() => service.dispose());

test('it is public, and says which interface it is', async () => {
  assert.match(document.openapi, /^3\.1\.\d$/);
  assert.equal(document.info.version, '1.0.0');
  assert.deepEqual(
    Object.values(document.components.securitySchemes).map(({ type, in: where, name }) => [
      type,
      where,
      name,
    ]),
    [['apiKey', 'header', 'Authorization']],
  );
  const search = document.paths['/v1/indicators/search']?.post;
  assert.equal(search?.operationId, 'searchIndicators');
  assert.deepEqual(search.tags, ['Indicators']);
  assert.equal(search.requestBody?.required, true);
});

test('every operation is there, needs a credential, and refuses in the form it names', async () => {
  assert.ok(operations.length >= 5);
  for (const { path, method, operation } of operations) {
    assert.deepEqual(operation.security, [{ Authorization: [] }], path);
    const error = operation.responses.default?.content?.['application/json'];
    assert.deepEqual(error?.schema, { $ref: '#/components/schemas/rpcStatus' });
    const url = service.url + path.replaceAll(/\{\w+\}/g, id);
    const answer = await send(url, { method });
    assert.equal(answer.status, 401, `${method} ${path}`);
    assert.deepEqual(faultsOf(answer.json(), error.schema), []);
  }
});

test('the official schema of OpenAPI 3.1 accepts it', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone({ ...document }));
  assert.deepEqual([valid, errors ?? []], [true, []]);
  assert.equal(document.info.license.identifier, 'Apache-2.0');
  assert.deepEqual(
    document.servers.map(({ url }) => url),
    ['/'],
  );
});

test('every operation has a tag of the list, examples and refusals with a body', () => {
  const tags = document.tags.map(({ name, description }) => (description === '' ? '' : name));
  for (const { operation } of answered) {
    const { operationId, parameters = [], requestBody, responses } = operation;
    assert.ok(operation.summary, operationId);
    assert.ok(operation.tags.length === 1 && tags.includes(operation.tags[0] ?? '-'), operationId);
    for (const { name, example } of parameters) assert.notEqual(example, undefined, `${operationId} ${name}`);
    if (requestBody !== undefined) {
      const { example } = requestBody.content['application/json']!;
      assert.ok(example, `${operationId} has no example; add it to openapi-examples.ts`);
    }
    const { schema, example } = responses['200']!.content!['application/json']!;
    assert.deepEqual(faultsOf(example, schema), [], operationId);
    const refusals = Object.entries(responses).filter(([status]) => /^[45]/.test(status));
    const statuses = refusals.map(([status]) => status);
    for (const status of ['400', '401', '403', '429', '503'])
      assert.ok(statuses.includes(status), operationId);
    assert.equal(
      statuses.includes('404'),
      parameters.some(({ in: where }) => where === 'path'),
      operationId,
    );
    assert.equal(statuses.includes('413'), requestBody !== undefined, operationId);
    for (const [, { $ref = '' }] of refusals) {
      const refusal = document.components.responses[$ref.replace('#/components/responses/', '')];
      const answer = refusal?.content['application/json'];
      assert.deepEqual(answer?.schema, { $ref: '#/components/schemas/rpcStatus' }, $ref);
      assert.deepEqual(faultsOf(answer.example, answer.schema), [], $ref);
    }
  }
});

/** What only a person may do. */
const OF_A_PERSON = new Set(['verifyIndicator', 'disputeIndicator', 'withdrawIndicator', 'addIndicatorNote']);

test('the service answers the example of every operation as the document says', async () => {
  for (const { path, method, operation } of answered) {
    const { operationId, parameters = [], requestBody, responses } = operation;
    const credential = OF_A_PERSON.has(operationId) ? person : administrator;
    const key = (await service.issue({ name: 'example' })).key.id;
    const named = path.startsWith('/v1/apiKeys/') ? key : id;
    const query = parameters
      .filter(({ name, in: where }) => where === 'query' && !ONE_THING.has(name))
      .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
    const url = `${service.url}${path.replaceAll(/\{\w+\}/g, named)}?${query.join('&')}`;
    const body = requestBody?.content['application/json']?.example;
    const answer = await send(url, { method, credential, ...(body === undefined ? {} : { body }) });
    assert.equal(answer.status, 200, `${operationId}: ${answer.text}`);
    const { schema } = responses['200']!.content!['application/json']!;
    assert.deepEqual(faultsOf(answer.json(), schema), [], operationId);
    const asked = requestBody?.content['application/json']?.schema;
    if (asked !== undefined) assert.deepEqual(faultsOf(body, asked), [], operationId);
  }
});

describe('what the service answers is what the document says', () => {
  test('an error with details of its own', async () => {
    const answer = await service
      .as(administrator)
      .send('/v1/indicators/search', { method: 'POST', body: { pageSize: -1 } });
    assert.deepEqual(faultsOf(answer.expect(400), { $ref: '#/components/schemas/rpcStatus' }), []);
  });
});

test('the enumerations have the values of the specification, the unspecified one first', () => {
  const names: Readonly<Record<string, string>> = {
    IndicatorType:
      'UNSPECIFIED IPV4 IPV6 DOMAIN URL FILE_HASH_MD5 FILE_HASH_SHA1 FILE_HASH_SHA256 EMAIL CIDR JA3 SSL_CERT_FINGERPRINT',
    ThreatCategory:
      'UNSPECIFIED MALWARE PHISHING COMMAND_AND_CONTROL BOTNET SCANNER SPAM BRUTE_FORCE EXPLOIT TOR_EXIT_NODE PROXY',
    Severity: 'UNSPECIFIED INFO LOW MEDIUM HIGH CRITICAL',
    IndicatorState: 'UNSPECIFIED RAW SCORED ENRICHED VERIFIED',
    Protocol: 'UNSPECIFIED MODBUS DNP3 BACNET S7 OPC_UA SSH HTTP FTP TELNET SNMP',
    SensorType: 'UNSPECIFIED ICS NETWORK ENDPOINT',
    TlpMarking: 'UNSPECIFIED CLEAR GREEN AMBER AMBER_STRICT RED',
  };
  for (const [name, values] of Object.entries(names)) {
    const prefix = name.replace(/(?<!^)[A-Z]/g, '_$&').toUpperCase();
    assert.deepEqual(
      document.components.schemas[name]?.enum,
      values.split(' ').map((value) => `${prefix}_${value}`),
    );
  }
});
