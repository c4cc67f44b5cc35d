// The HTTP routes of the contract, read from its descriptors (google.api.http).

import { type DescMethod, type DescService, getOption } from '@bufbuild/protobuf';
import { MethodOptions_IdempotencyLevel } from '@bufbuild/protobuf/wkt';
import { http } from '../gen/google/api/annotations_pb.ts';

export interface Route {
  readonly rpc: DescMethod;
  /** True if the answer is a stream of messages. */
  readonly isStream: boolean;
  /** Also the operationId of the OpenAPI document. */
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path of the contract, such as `/v1/indicators/{id}:verify`. */
  readonly template: string;
  /** Names of the fields in the path. */
  readonly variables: readonly string[];
  /** True if the body has all other fields (`body: "*"`). Otherwise the query has them. */
  readonly hasBody: boolean;
  /** True if the body says what the request is about. With a variable in the path, all fields of the body are optional. */
  readonly bodyRequired: boolean;
  /** True if a repeated request changes nothing more. */
  readonly isIdempotent: boolean;
}

const VARIABLE = /\{(\w+)\}/g;

/** @throws when an annotation needs something that the transcoder does not support. */
export function routesOf(service: DescService): Route[] {
  return service.methods.map((rpc) => {
    if (rpc.methodKind !== 'unary' && rpc.methodKind !== 'server_streaming')
      throw new Error(`${rpc.toString()} takes a stream`);
    const { pattern, body, responseBody, additionalBindings } = getOption(rpc, http);
    const { case: verb, value: template } = pattern;
    if (verb === undefined || verb === 'custom') throw new Error(`${rpc.toString()} has no HTTP method`);
    if ((body !== '' && body !== '*') || responseBody !== '' || additionalBindings.length > 0) {
      throw new Error(`the HTTP binding of ${rpc.toString()} is not supported`);
    }
    const variables = [...template.matchAll(VARIABLE)].map(([, name = '']) => name);
    for (const name of variables) {
      const field = rpc.input.fields.find((one) => one.name === name);
      if (field?.fieldKind !== 'scalar') throw new Error(`${rpc.toString()} has no field for {${name}}`);
    }
    return {
      rpc,
      isStream: rpc.methodKind === 'server_streaming',
      operationId: rpc.localName,
      method: verb.toUpperCase() as Route['method'],
      template,
      variables,
      hasBody: body === '*',
      bodyRequired: body === '*' && variables.length === 0,
      isIdempotent: rpc.idempotency !== MethodOptions_IdempotencyLevel.IDEMPOTENCY_UNKNOWN,
    };
  });
}

/**
 * The template in Fastify's syntax. A colon starts the verb of a custom method, so a variable must not contain one.
 * Otherwise `GET /v1/indicators/x:verify` would read the indicator `x:verify`.
 */
export function fastifyPath(template: string): string {
  return template
    .replaceAll(':', '::')
    .replace(VARIABLE, (_, name: string, at: number, whole: string) =>
      at + name.length + 2 === whole.length ? `:${name}(^[^:]+$)` : `:${name}(^[^:]+)`,
    );
}
