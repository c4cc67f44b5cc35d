// Serves a Protobuf service over HTTP as its annotations say: path, query and body become the request message, the
// handler's answer is sent. It knows no method of its own.

import type { DescMethodUnary, DescService, MessageShape } from '@bufbuild/protobuf';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Admit } from '../../gateway/admit.ts';
import type { Caller } from '../../gateway/caller.ts';
import { FIELD_RULES } from '../../protojson/field-rules.ts';
import { createDecoder } from '../../protojson/json-decoder.ts';
import { queryToJson } from '../../protojson/query-parameters.ts';
import { fastifyPath, type Route, routesOf } from '../../protojson/routes.ts';
import { passGate } from '../http/admission.ts';
import { sendJson } from '../http/json-reply.ts';

export interface Operation<Request> {
  /** @throws ServiceError `permission_denied`. Judged before the body is read. */
  readonly authorize: (caller: Caller) => void;
  /** Resolves to the JSON of the response message. */
  readonly answer: (request: Request, caller: Caller) => Promise<string | Buffer>;
  /** In bytes; 1 MiB by default. */
  readonly bodyLimit?: number;
}

/** One operation per method of the service. */
export type Operations<Service extends DescService> = {
  readonly [Name in keyof Service['method']]: Service['method'][Name] extends DescMethodUnary<infer Input>
    ? Operation<MessageShape<Input>>
    : never;
};

const DEFAULT_BODY_LIMIT = 1_048_576;
const CALLER = 'caller';
const NO_BODY = new Uint8Array();

/** Adds the routes of a service. */
export function serve<Service extends DescService>(
  app: FastifyInstance,
  service: Service,
  operations: Operations<Service>,
  admit: Admit,
): void {
  // A scope of its own: the hooks and parsers here are not those of other interfaces.
  app.register(async (scope) => {
    scope.decorateRequest(CALLER, undefined);
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    // The type of a body is not looked at (it is JSON or refused), but Fastify would stumble over a malformed one.
    scope.addHook('onRequest', async ({ raw }) => {
      if (raw.headers['content-type'] !== undefined) raw.headers['content-type'] = 'application/json';
    });
    for (const route of routesOf(service)) {
      // The mapped type lost in the loop: a route and its operation come from the same descriptor.
      const operation = operations[route.operationId as keyof Service['method']] as Operation<unknown>;
      addRoute(scope, route, operation, admit);
    }
  });
}

function addRoute(
  app: FastifyInstance,
  route: Route,
  { authorize, answer, bodyLimit = DEFAULT_BODY_LIMIT }: Operation<unknown>,
  admit: Admit,
): void {
  const decode = requestDecoder(route);
  app.route({
    method: route.method,
    url: fastifyPath(route.template),
    bodyLimit,
    // In a hook, so that nobody can make the service read a body it will not answer.
    onRequest: async (request, reply) => {
      const caller = await passGate(admit, request, reply);
      authorize(caller);
      request.setDecorator(CALLER, caller);
    },
    handler: async (request, reply) =>
      sendJson(reply, await answer(decode(request), request.getDecorator<Caller>(CALLER))),
  });
}

/** Path variables win over fields of the same name elsewhere. */
function requestDecoder({ rpc, variables, hasBody }: Route): (request: FastifyRequest) => unknown {
  const decode = createDecoder(rpc.input, FIELD_RULES);
  const names = new Map(rpc.input.fields.map((field) => [field.name, field.localName]));
  return (request) => {
    const message: Record<string, unknown> = hasBody
      ? decode(bodyOf(request))
      : decode(Buffer.from(queryToJson(rpc.input, queryOf(request.url), variables)));
    const parameters = request.params as Record<string, string>;
    for (const name of variables) message[names.get(name) ?? name] = parameters[name];
    return message;
  };
}

/** A request without any body has none. */
function bodyOf({ body }: FastifyRequest): Uint8Array {
  return body instanceof Uint8Array ? body : NO_BODY;
}

function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}
