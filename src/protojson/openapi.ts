// The OpenAPI 3.1 document, made from the descriptors that routes and codec use. Descriptions are the comments of the
// .proto files. Limits are those of the decoders.

import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescService,
  ScalarType,
} from '@bufbuild/protobuf';
import { COMMENTS as API_KEYS } from '../gen/threatintel/v1/api_key_service_pb.ts';
import { COMMENTS as EVIDENCE } from '../gen/threatintel/v1/evidence_pb.ts';
import { COMMENTS as INDICATORS } from '../gen/threatintel/v1/indicator_service_pb.ts';
import { COMMENTS as MODEL } from '../gen/threatintel/v1/model_pb.ts';
import { COMMENTS as RELATED } from '../gen/threatintel/v1/related_pb.ts';
import { COMMENTS as RECEIPT } from '../gen/threatintel/v1/score_receipt_pb.ts';
import { COMMENTS as EVENTS } from '../gen/threatintel/v1/sensor_event_service_pb.ts';
import { COMMENTS as USAGE } from '../gen/threatintel/v1/usage_service_pb.ts';
import { FIELD_RULES, type FieldRule, type TextRule } from './field-rules.ts';
import { isTimestamp } from './field-types.ts';
import { type Route, routesOf } from './routes.ts';

type Schema = Record<string, unknown>;

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
const SECURITY = 'Authorization';

/** Formats of Protobuf gateways: a uint32 needs the range of int64, and a uint64 is a decimal string. */
const SCALAR_SCHEMAS: ReadonlyMap<ScalarType, Schema> = new Map<ScalarType, Schema>([
  [ScalarType.STRING, { type: 'string' }],
  [ScalarType.BOOL, { type: 'boolean' }],
  [ScalarType.DOUBLE, { type: 'number', format: 'double' }],
  [ScalarType.INT32, { type: 'integer', format: 'int32' }],
  [ScalarType.UINT32, { type: 'integer', format: 'int64' }],
  [ScalarType.INT64, { type: 'string', format: 'int64' }],
  [ScalarType.UINT64, { type: 'string', format: 'uint64' }],
]);

/** A plain object, ready for JSON.stringify. */
export function openApiDocument(services: readonly DescService[]): object {
  const schemas = new Map<string, Schema>([
    ['rpcStatus', RPC_STATUS],
    ['protobufAny', PROTOBUF_ANY],
  ]);
  const paths: Record<string, Record<string, object>> = {};
  for (const service of services) {
    for (const route of routesOf(service)) {
      paths[route.template] ??= {};
      Object.assign(paths[route.template] as object, {
        [route.method.toLowerCase()]: operation(route, tagOf(service), schemas),
      });
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Threat Indicator Service',
      version: INTERFACE_VERSION,
      description:
        'Request members are understood in camelCase and in snake_case. Every status but 200 carries an rpcStatus.',
    },
    tags: services.map((service) => ({ name: tagOf(service), description: COMMENTS[service.typeName] })),
    paths,
    components: {
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
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

function operation(route: Route, tag: string, schemas: Map<string, Schema>): object {
  const { rpc, operationId, variables, hasBody } = route;
  const [summary = '', ...description] = (COMMENTS[`${rpc.parent.typeName}.${rpc.name}`] ?? '').split('\n\n');
  const inPath = rpc.input.fields.filter(({ name }) => variables.includes(name));
  const others = rpc.input.fields.filter(({ name }) => !variables.includes(name));
  const parameters = [
    ...inPath.map((field) => parameter(field, field.name, 'path', schemas)),
    ...(hasBody ? [] : others.flatMap((field) => queryParameters(field, schemas))),
  ];
  return {
    operationId,
    tags: [tag],
    summary: summary.replace(/\.$/, ''),
    ...(description.length === 0 ? {} : { description: description.join('\n\n') }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(hasBody ? { requestBody: requestBody(route, others, schemas) } : {}),
    responses: {
      200: { description: 'A successful response.', content: content(reference(rpc.output, schemas)) },
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
  { rpc, variables }: Route,
  fields: readonly DescField[],
  schemas: Map<string, Schema>,
): object {
  if (variables.length === 0) return { required: true, content: content(reference(rpc.input, schemas)) };
  const name = `${rpc.name}Body`;
  schemas.set(name, objectSchema(rpc.input, fields, schemas));
  return { required: false, content: content({ $ref: `#/components/schemas/${name}` }) };
}

function content(schema: Schema): object {
  return { [JSON_TYPE]: { schema } };
}

/** Dotted paths name the members of a message in the query. */
function queryParameters(field: DescField, schemas: Map<string, Schema>, prefix = ''): object[] {
  const name = prefix + field.jsonName;
  if (field.fieldKind !== 'message' || isTimestamp(field.message))
    return [parameter(field, name, 'query', schemas)];
  return field.message.fields.flatMap((member) => queryParameters(member, schemas, `${name}.`));
}

function parameter(
  field: DescField,
  name: string,
  place: 'path' | 'query',
  schemas: Map<string, Schema>,
): object {
  const { description, ...schema } = fieldSchema(field, schemas);
  return { name, in: place, ...(place === 'path' ? { required: true } : {}), description, schema };
}

function reference(message: DescMessage, schemas: Map<string, Schema>): Schema {
  const name = schemaName(message);
  if (!schemas.has(name)) {
    // The name is set first, so that a message that contains itself ends the recursion.
    schemas.set(name, {});
    schemas.set(name, objectSchema(message, message.fields, schemas));
  }
  return { $ref: `#/components/schemas/${name}` };
}

function objectSchema(
  message: DescMessage,
  fields: readonly DescField[],
  schemas: Map<string, Schema>,
): Schema {
  const required = fields.filter((field) => ruleOf(field).required).map(({ jsonName }) => jsonName);
  return {
    type: 'object',
    description: COMMENTS[message.typeName],
    properties: Object.fromEntries(fields.map((field) => [field.jsonName, fieldSchema(field, schemas)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

function fieldSchema(field: DescField, schemas: Map<string, Schema>): Schema {
  const description = COMMENTS[`${field.parent.typeName}.${field.name}`];
  const rule = ruleOf(field);
  const element = { ...elementSchema(field, schemas), ...textLimits(rule.text), ...rangeLimits(rule) };
  if (field.fieldKind === 'list') {
    const limits = defined({ minItems: rule.minItems, maxItems: rule.maxItems });
    return { type: 'array', items: element, ...limits, description };
  }
  if (field.fieldKind === 'map') {
    const limits = defined({ minProperties: rule.minItems, maxProperties: rule.maxItems });
    const names = rule.keys === undefined ? {} : { propertyNames: textLimits(rule.keys) };
    return { type: 'object', additionalProperties: element, ...names, ...limits, description };
  }
  return { ...element, description };
}

/** The schema of a single field, of the elements of a list, or of the values of a map. */
function elementSchema(field: DescField, schemas: Map<string, Schema>): Schema {
  if (field.enum !== undefined) return enumReference(field.enum, schemas);
  if (field.message === undefined) return SCALAR_SCHEMAS.get(field.scalar) ?? {};
  return isTimestamp(field.message)
    ? { type: 'string', format: 'date-time' }
    : reference(field.message, schemas);
}

function enumReference(desc: DescEnum, schemas: Map<string, Schema>): Schema {
  const name = schemaName(desc);
  const values = desc.values.map((value) => value.name);
  const notes = desc.values.flatMap((value) => {
    const note = COMMENTS[`${desc.typeName}.${value.name}`];
    return note === undefined ? [] : [`- ${value.name}: ${note}`];
  });
  const description = [COMMENTS[desc.typeName] ?? '', ...notes].join('\n');
  schemas.set(name, { type: 'string', enum: values, default: values[0], description });
  return { $ref: `#/components/schemas/${name}` };
}

/** The name without its package. A nested type has the name of its parent in front. */
function schemaName(desc: DescMessage | DescEnum): string {
  return desc.typeName.slice(desc.file.proto.package.length + 1).replaceAll('.', '');
}

function ruleOf(field: DescField): FieldRule {
  return FIELD_RULES[`${field.parent.typeName}.${field.name}`] ?? {};
}

function textLimits(rule: TextRule | undefined): Schema {
  return rule === undefined ? {} : defined({ minLength: rule.min, maxLength: rule.max });
}

function rangeLimits({ range }: FieldRule): Schema {
  return range === undefined ? {} : { minimum: range[0], maximum: range[1] };
}

function defined(members: Readonly<Record<string, number | undefined>>): Schema {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

const RPC_STATUS: Schema = {
  type: 'object',
  description: 'What every status but 200 carries (google.rpc.Status).',
  properties: {
    code: { type: 'integer', format: 'int32', description: 'Canonical code (google.rpc.Code).' },
    message: { type: 'string', description: 'For people.' },
    details: {
      type: 'array',
      items: { $ref: '#/components/schemas/protobufAny' },
      description: 'An ErrorInfo always; BadRequest, RetryInfo and QuotaFailure where they apply.',
    },
  },
};

const PROTOBUF_ANY: Schema = {
  type: 'object',
  description: 'A message of any type, with its members beside `@type`.',
  properties: {
    '@type': {
      type: 'string',
      description: 'Which type, such as `type.googleapis.com/google.rpc.ErrorInfo`.',
    },
  },
  additionalProperties: true,
};
