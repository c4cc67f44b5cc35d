// GET /openapi.json against the running service: the documented operations exist, and answers match their schemas.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { send } from '../support/http-client.ts';
import { type Schemas, schemaChecker } from '../support/json-schema.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent } from '../support/sensor-events.ts';

type Content = Readonly<Record<string, { readonly schema: object }>>;

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: Content }>>;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Schemas;
    readonly securitySchemes: Readonly<Record<string, { type: string; in: string; name: string }>>;
  };
}

let service: RunningService;
let document: Document;
let operations: readonly { path: string; method: string; operation: Operation }[];
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
    const error = operation.responses.default?.content['application/json'];
    assert.deepEqual(error?.schema, { $ref: '#/components/schemas/rpcStatus' });
    const url = service.url + path.replaceAll(/\{\w+\}/g, id);
    const answer = await send(url, { method });
    assert.equal(answer.status, 401, `${method} ${path}`);
    assert.deepEqual(faultsOf(answer.json(), error.schema), []);
  }
});

describe('what the service answers is what the document says', () => {
  const requests: Readonly<Record<string, () => { credential: string; body?: object }>> = {
    searchIndicators: () => ({ credential: administrator, body: { pageSize: 1 } }),
    lookupIndicators: () => ({ credential: administrator, body: { values: ['192.0.2.10', 'no value'] } }),
    getIndicator: () => ({ credential: administrator }),
    verifyIndicator: () => ({ credential: person, body: { note: 'confirmed' } }),
    explainIndicator: () => ({ credential: administrator }),
    ingestSensorEvents: () => ({
      credential: administrator,
      body: { events: [anEvent(), anEvent({ value: '10.0.0.1' })] },
    }),
  };
  for (const [operationId, request] of Object.entries(requests)) {
    test(operationId, async () => {
      const found = operations.find(({ operation }) => operation.operationId === operationId);
      assert.ok(found, 'the document does not have it');
      const { path, method, operation } = found;
      const url = service.url + path.replaceAll(/\{\w+\}/g, id);
      const sent = request();
      const answer = (await send(url, { method, ...sent })).expect<unknown>(200);
      const schema = operation.responses['200']?.content['application/json']?.schema;
      assert.ok(schema);
      assert.deepEqual(faultsOf(answer, schema), []);
      const asked = operation.requestBody?.content['application/json']?.schema;
      assert.equal(asked === undefined, sent.body === undefined);
      if (asked !== undefined) assert.deepEqual(faultsOf(sent.body, asked), []);
    });
  }

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
