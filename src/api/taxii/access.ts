// What every TAXII endpoint begins with: who may come in, and what they accept.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admit } from '../../gateway/admit.ts';
import { requireApiKey, requireClient } from '../../gateway/authorize.ts';
import type { Caller } from '../../gateway/caller.ts';
import { passGate } from '../http/admission.ts';
import { HttpError } from '../rest/rest-errors.ts';
import { acceptsTaxii, TAXII_MEDIA_TYPE } from './negotiation.ts';

/** Any API key reads, within its ceiling; a sensor key opens ingest only. */
export async function admitReader(
  admitTaxii: Admit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const caller = await passGate(admitTaxii, request, reply);
  requireApiKey(caller);
  requireClient(caller);
  return caller;
}

/** §3.1. */
export function requireAcceptable({ headers }: FastifyRequest): void {
  if (acceptsTaxii(headers.accept)) return;
  throw new HttpError(406, 'invalid_argument', `the answer would be ${TAXII_MEDIA_TYPE}`, 'NOT_ACCEPTABLE');
}
