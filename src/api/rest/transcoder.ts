// The transcoder serves a Protobuf service over HTTP as its google.api.http annotations say: path, query and body become
// the request message, and the answer of the operation becomes the JSON of the response message.

import type { DescMessage, DescMethodUnary, DescService, MessageShape } from '@bufbuild/protobuf';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Admit } from '../../gateway/admit.ts';
import type { Caller } from '../../gateway/caller.ts';
import { FIELD_RULES } from '../../protojson/field-rules.ts';
import { createDecoder } from '../../protojson/json-decoder.ts';
import { createEncoder } from '../../protojson/json-encoder.ts';
import { queryToJson, refuseParameters } from '../../protojson/query-parameters.ts';
import { fastifyPath, type Route, routesOf } from '../../protojson/routes.ts';
import { admitRequest, callerOf, endHook } from '../http/admission.ts';
import { admitPage, holdAnswer } from '../http/answer-room.ts';
import { bodyOf, readBodies } from '../http/body-reader.ts';
import { answerJson } from '../http/json-reply.ts';
import type { Parts } from '../http/raw-answer.ts';
import { turnOf, type WorkTurns } from '../http/work-turns.ts';

export interface Operation<Request, Response = object> {
  /** @throws ServiceError `permission_denied`. It runs before the body is read. */
  readonly authorize: (caller: Caller) => void;
  /**
   * Throws `invalid_argument` for what `answer` would refuse. It is called only if the request has a fault already, so
   * that the error names all faults.
   */
  readonly validate?: (request: Request) => void;
  /**
   * Resolves to the response, or to its JSON, perhaps in parts, where stored documents are handed out as they are. The members of the
   * response have the names of the contract and the values of the domain (see json-encoder.ts).
   * @param hold counts the bytes of an answer that is made but not yet returned.
   */
  readonly answer: (
    request: Request,
    caller: Caller,
    hold: (bytes: number) => void,
  ) => Promise<Answer<Response> | string | Buffer | Parts>;
  /** The answer is a list of any length, so it waits for its turn. */
  readonly isPage?: true;
  /** The body is a batch for the thread that writes, so it waits for its turn before it is decoded. */
  readonly isBatch?: true;
  /** Turns of their own, for a request that makes much of a small body. */
  readonly turns?: WorkTurns;
  /** In bytes; 1 MiB by default. */
  readonly bodyLimit?: number;
}

/** A message with values of the domain: milliseconds for a timestamp, a name for an enumeration. Members may be missing. */
export type Answer<Message> = {
  readonly [Name in keyof Message as Name extends '$typeName' | '$unknown' ? never : Name]?: Value<
    Message[Name]
  >;
};

type Value<Member> = Member extends readonly (infer Item)[]
  ? readonly Value<Item>[]
  : Member extends { $typeName: 'google.protobuf.Timestamp' }
    ? number
    : Member extends object
      ? Answer<Member>
      : Member extends bigint
        ? bigint | number
        : Member extends number
          ? number | string
          : Member;

/** One operation for each method of the service that has one answer. */
export type Operations<Service extends DescService> = {
  readonly [Name in keyof Service['method'] as Service['method'][Name] extends DescMethodUnary
    ? Name
    : never]: Service['method'][Name] extends DescMethodUnary<infer Input, infer Output>
    ? Operation<MessageShape<Input>, MessageShape<Output>>
    : never;
};

/** The request message of a method, such as `RequestOf<typeof UsageService, 'getUsage'>`. */
export type RequestOf<
  Service extends DescService,
  Name extends keyof Service['method'],
> = Service['method'][Name] extends { readonly input: infer Input extends DescMessage }
  ? MessageShape<Input>
  : never;

const DEFAULT_BODY_LIMIT = 1_048_576;

/** What every operation needs. */
export interface TranscoderDeps {
  /** Judges the credential and the limit of each request. */
  readonly admit: Admit;
  readonly workTurns: WorkTurns;
}

/** Adds the routes of a service. */
export function serve<Service extends DescService>(
  app: FastifyInstance,
  service: Service,
  operations: Operations<Service>,
  deps: TranscoderDeps,
): void {
  // A scope of its own, so that its hooks and parsers do not reach other interfaces.
  app.register(async (scope) => {
    readBodies(scope);
    // Every body is read as JSON, whatever its type says; Fastify would refuse a malformed type.
    scope.addHook('onRequest', ({ raw }, _reply, done) => {
      if (raw.headers['content-type'] !== undefined) raw.headers['content-type'] = 'application/json';
      done();
    });
    for (const route of routesOf(service).filter(({ isStream }) => !isStream)) {
      // The loop loses the mapped type: the route and its operation come from the same descriptor.
      const operation = operations[route.operationId as keyof Operations<Service>] as Operation<unknown>;
      addRoute(scope, route, operation, deps);
    }
  });
}

function addRoute(
  app: FastifyInstance,
  route: Route,
  operation: Operation<unknown>,
  { admit, workTurns }: TranscoderDeps,
): void {
  const { authorize, answer, bodyLimit = DEFAULT_BODY_LIMIT, isPage, isBatch, turns } = operation;
  const awaited = turns ?? (isBatch ? workTurns : undefined);
  const decode = requestDecoder(route, operation);
  const encode = createEncoder<object>(route.rpc.output);
  app.route({
    method: route.method,
    url: fastifyPath(route.template),
    bodyLimit,
    // In a hook, so that the body of a refused request is not read.
    onRequest: (request, reply, done) => endHook(admitRequest(admit, request, reply), authorize, done),
    handler: (request, reply) => {
      const caller = callerOf(request);
      const hold = (bytes: number) => holdAnswer(reply, caller.id, bytes);
      const respond = () => answer(decode(request), caller, hold);
      const send = (response: Awaited<ReturnType<typeof answer>>): void =>
        answerJson(
          reply,
          typeof response === 'string' || Buffer.isBuffer(response) || isParts(response)
            ? response
            : encode(response),
        );
      if (awaited !== undefined) return awaited.run(turnOf(request, reply), async () => respond()).then(send);
      const turn = isPage && admitPage(reply, caller.id);
      return (turn ? turn.then(respond) : respond()).then(send);
    },
  });
}

function isParts(response: object): response is Parts {
  return Array.isArray(response);
}

/** A path variable wins over a field of the same name in the body or the query. */
export function requestDecoder(
  { rpc, variables, hasBody, bodyRequired }: Route,
  { validate }: Pick<Operation<unknown>, 'validate'>,
): (request: FastifyRequest) => unknown {
  const decode = createDecoder(rpc.input, FIELD_RULES, {
    bodyRequired,
    ...(validate === undefined ? {} : { validate }),
  });
  const names = new Map(rpc.input.fields.map((field) => [field.name, field.localName]));
  return (request) => {
    const query = queryOf(request.url);
    if (hasBody) refuseParameters(query);
    const message: Record<string, unknown> = decode(
      hasBody ? bodyOf(request) : queryToJson(rpc.input, query, variables),
    );
    const parameters = request.params as Record<string, string>;
    for (const name of variables) message[names.get(name) ?? name] = parameters[name];
    return message;
  };
}

function queryOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}
