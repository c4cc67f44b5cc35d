// The OpenAPI 3.1 document, made from the descriptors that routes and codec use. Descriptions are the comments of the
// .proto files. Limits are those of the decoders.

import type { DescField, DescService } from '@bufbuild/protobuf';
import { COMMENTS as API_KEYS } from '../gen/threatintel/v1/api_key_service_pb.ts';
import { COMMENTS as EVIDENCE } from '../gen/threatintel/v1/evidence_pb.ts';
import { COMMENTS as INDICATORS } from '../gen/threatintel/v1/indicator_service_pb.ts';
import { COMMENTS as MODEL } from '../gen/threatintel/v1/model_pb.ts';
import { COMMENTS as RELATED } from '../gen/threatintel/v1/related_pb.ts';
import { COMMENTS as RECEIPT } from '../gen/threatintel/v1/score_receipt_pb.ts';
import { COMMENTS as EVENTS } from '../gen/threatintel/v1/sensor_event_service_pb.ts';
import { COMMENTS as USAGE } from '../gen/threatintel/v1/usage_service_pb.ts';
import { isTimestamp } from './field-types.ts';
import { errorComponents, errorResponses, PROTOBUF_ANY, RPC_STATUS } from './openapi-errors.ts';
import { exampleOf, exampleOfField, REQUEST_EXAMPLES } from './openapi-examples.ts';
import { type Schema, SchemaCollection } from './openapi-schemas.ts';
import { type Route, routesOf } from './routes.ts';

const COMMENTS = {
  ...API_KEYS,
  ...EVIDENCE,
  ...INDICATORS,
  ...MODEL,
  ...RECEIPT,
  ...RELATED,
  ...EVENTS,
  ...USAGE,
};

/** The version of the interface, which follows the major version in the paths. It is not the version of the service. */
const INTERFACE_VERSION = '1.0.0';
const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';
const SECURITY = 'Authorization';
const DESCRIPTION = [
  'Request members are understood in camelCase and in snake_case, and must be known. Every status but 200 carries an rpcStatus.',
  'New members and enumeration values can be added to answers at any time.',
].join(' ');

const STREAM_DESCRIPTION =
  'A stream of server-sent events. The schema is that of the data of one event; the name of the event is that of its member.';

/** The standard of server-sent events has it. */
const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'Id of the last event that the client has. The stream goes on behind it.',
  schema: { type: 'string', maxLength: 64 },
  example: '1795378567490000.4',
};

/** A plain object, ready for JSON.stringify. */
export function openApiDocument(services: readonly DescService[]): object {
  const routes = services.flatMap((service) =>
    routesOf(service).map((route) => ({ route, tag: tagOf(service) })),
  );
  const schemas = new SchemaCollection(
    COMMENTS,
    routes.map(({ route }) => route.rpc.input),
  );
  schemas.add('rpcStatus', RPC_STATUS);
  schemas.add('protobufAny', PROTOBUF_ANY);
  const paths: Record<string, Record<string, object>> = {};
  for (const { route, tag } of routes) {
    const methods = paths[route.template] ?? {};
    methods[route.method.toLowerCase()] = operation(route, tag, schemas);
    paths[route.template] = methods;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Threat Indicator Service',
      version: INTERFACE_VERSION,
      description: DESCRIPTION,
      contact: { name: 'The operator of this installation' },
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    // Relative to the document, so that every installation names itself.
    servers: [{ url: '/', description: 'The service that this document comes from.' }],
    tags: services.map((service) => ({ name: tagOf(service), description: COMMENTS[service.typeName] })),
    security: [{ [SECURITY]: [] }],
    paths,
    components: {
      schemas: schemas.components,
      responses: errorComponents(),
      securitySchemes: {
        [SECURITY]: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`Bearer <token>`, where the token is an identity-provider JWT or an API key.',
        },
      },
    },
  };
}

/** The collection at the start of the paths of a service, such as `Indicators` of `/v1/indicators/search`. */
function tagOf(service: DescService): string {
  const [, collection = service.name] = /^\/v1\/(\w+)/.exec(routesOf(service)[0]?.template ?? '') ?? [];
  return collection.charAt(0).toUpperCase() + collection.slice(1);
}

function operation(route: Route, tag: string, schemas: SchemaCollection): object {
  const { rpc, operationId, variables, hasBody, isStream } = route;
  const [summary = '', ...description] = (COMMENTS[`${rpc.parent.typeName}.${rpc.name}`] ?? '').split('\n\n');
  const inPath = rpc.input.fields.filter(({ name }) => variables.includes(name));
  const others = rpc.input.fields.filter(({ name }) => !variables.includes(name));
  const parameters = [
    ...inPath.map((field) => parameter(field, field.name, 'path', schemas)),
    ...(hasBody ? [] : others.flatMap((field) => queryParameters(field, schemas))),
    ...(isStream ? [LAST_EVENT_ID] : []),
  ];
  return {
    operationId,
    tags: [tag],
    summary: summary.replace(/\.$/, ''),
    ...(description.length === 0 ? {} : { description: description.join('\n\n') }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(hasBody ? { requestBody: requestBody(route, others, schemas) } : {}),
    responses: {
      200: {
        description: isStream ? STREAM_DESCRIPTION : 'A successful response.',
        content: isStream
          ? { [STREAM_TYPE]: { schema: schemas.reference(rpc.output) } }
          : content(schemas.reference(rpc.output), exampleOf(rpc.output)),
      },
      ...errorResponses(route),
      default: {
        description: 'An error response.',
        content: content({ $ref: '#/components/schemas/rpcStatus' }),
      },
    },
    security: [{ [SECURITY]: [] }],
  };
}

/** The body has the request message without the fields in the path. */
function requestBody(
  { rpc, operationId, bodyRequired }: Route,
  fields: readonly DescField[],
  schemas: SchemaCollection,
): object {
  const schema = bodyRequired
    ? schemas.reference(rpc.input)
    : schemas.add(`${rpc.name}Body`, schemas.object(rpc.input, fields));
  return { required: bodyRequired, content: content(schema, REQUEST_EXAMPLES[operationId]) };
}

function content(schema: Schema, example?: object): object {
  return { [JSON_TYPE]: { schema, ...(example === undefined ? {} : { example }) } };
}

/** Dotted paths name the members of a message in the query. */
function queryParameters(field: DescField, schemas: SchemaCollection, prefix = ''): object[] {
  const name = prefix + field.jsonName;
  if (field.fieldKind !== 'message' || isTimestamp(field.message))
    return [parameter(field, name, 'query', schemas)];
  return field.message.fields.flatMap((member) => queryParameters(member, schemas, `${name}.`));
}

function parameter(
  field: DescField,
  name: string,
  place: 'path' | 'query',
  schemas: SchemaCollection,
): object {
  const { description, ...schema } = schemas.field(field);
  return {
    name,
    in: place,
    ...(place === 'path' ? { required: true } : {}),
    description,
    schema,
    example: exampleOfField(field),
  };
}
