// How a request passes the gate: its limit goes on the answer, whatever the answer becomes, and a refusal is thrown.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admit } from '../../gateway/admit.ts';
import type { Caller } from '../../gateway/caller.ts';
import { noteCaller } from './request-telemetry.ts';

/** Resolves to who is calling; rejects as the gate does, and with the refusal of a caller over the limit. */
export async function passGate(admit: Admit, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  const { fields, caller, refusal } = await admit(request.headers, request.ip);
  reply.header('ratelimit-policy', fields['ratelimit-policy']);
  reply.header('ratelimit', fields.ratelimit);
  if (refusal !== undefined) throw refusal;
  noteCaller(request, caller.id);
  return caller;
}
