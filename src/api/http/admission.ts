// Admission: the gateway judges the credential and the limit of a request, and the request keeps its caller.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admission, Admit } from '../../gateway/admit.ts';
import type { Caller } from '../../gateway/caller.ts';
import { requireAnswerRoom } from './answer-room.ts';
import { requireOneCredential } from './single-headers.ts';

const CALLER = Symbol('caller');

interface Admitted {
  [CALLER]?: Caller;
}

/**
 * Gives the caller, at once where the gateway can. Rejects or throws as `admit` does, with `resource_exhausted` for a
 * caller over the limit or with too many unread answers, and with `invalid_argument` for two credentials. The fields of
 * the limit are on each answer to one valid credential.
 */
export function admitRequest(
  admit: Admit,
  request: FastifyRequest,
  reply: FastifyReply,
): Caller | Promise<Caller> {
  requireOneCredential(request.raw);
  const { headers, ip, method } = request;
  const admission = admit.atHand?.(headers, ip);
  if (admission !== undefined) return keepCaller(admission, request, reply);
  return admit(headers, ip, method).then((judged) => keepCaller(judged, request, reply));
}

function keepCaller(
  { fields, caller, refusal }: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Caller {
  reply.header('ratelimit-policy', fields['ratelimit-policy']);
  reply.header('ratelimit', fields.ratelimit);
  if (refusal !== undefined) throw refusal;
  // A cache may keep the answer to a cookie and give it to others (RFC 9111 §3.5 forbids it for Authorization only). The own
  // browser would show it after the session.
  if (caller.credential === 'session') reply.header('cache-control', 'no-store');
  requireAnswerRoom(reply, caller.id);
  (request as FastifyRequest & Admitted)[CALLER] = caller;
  return caller;
}

/** Ends a hook, at once if the value is at hand. @param judge may throw. */
export function endHook<Value>(
  value: Value | Promise<Value>,
  judge: (value: Value) => void,
  done: (error?: Error) => void,
): void {
  if (value instanceof Promise) {
    value.then(judge).then(() => done(), done);
  } else {
    judge(value);
    done();
  }
}

/** The caller of an admitted request; undefined for every other request. */
export function findCaller(request: FastifyRequest): Caller | undefined {
  return (request as FastifyRequest & Admitted)[CALLER];
}

/** For handlers of routes that admit. @throws when the request was not admitted. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = findCaller(request);
  if (caller === undefined) throw new Error('the route does not admit its requests');
  return caller;
}
