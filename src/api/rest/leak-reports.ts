// POST /v1/apiKeys:reportLeaked: a scanner of public sources reports keys that it found, in the form of GitHub's secret scanning
// partner programme. The signature of the report takes the place of a credential.
//
// For each token the answer says whether it is a key of this service, and nothing else. The scanner knows the token anyway.

import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type FieldViolation, invalidArgument, ServiceError } from '../../domain/errors.ts';
import type { KeyCommands } from '../../gateway/key-commands.ts';
import type { LeakReport } from '../../gateway/leaked-keys.ts';
import type { VerifyReport } from '../../gateway/scanner-keys.ts';
import { fastifyPath } from '../../protojson/routes.ts';
import { bodyOf, readBodies } from '../http/body-reader.ts';
import { sendJson } from '../http/json-reply.ts';

const PATH = '/v1/apiKeys:reportLeaked';
const BODY_LIMIT = 1_048_576;

export interface LeakReportDeps {
  readonly verifyReport: VerifyReport;
  readonly commands: Pick<KeyCommands, 'revokeLeaked'>;
}

interface Find extends LeakReport {
  /** The scanner's name for this kind of token, given back to it. */
  readonly type: string;
}

/** The plugin with the route. */
export function leakReports({ verifyReport, commands }: LeakReportDeps): (app: FastifyInstance) => void {
  return (app) => {
    // The signature covers the received bytes.
    readBodies(app);
    app.post(fastifyPath(PATH), { bodyLimit: BODY_LIMIT }, async (request, reply) => {
      const body = bodyOf(request);
      const identifier = request.headers['github-public-key-identifier'];
      const signature = request.headers['github-public-key-signature'];
      if (typeof identifier !== 'string' || typeof signature !== 'string')
        throw unsigned('the report is not signed');
      if (!(await verifyReport(identifier, signature, body))) throw unsigned('the signature is not valid');
      const finds = parseFinds(body);
      const isOurs = await commands.revokeLeaked(
        finds.map(({ token, url, source }) => ({ token, url, source })),
      );
      return sendJson(
        reply,
        JSON.stringify(
          finds.map(({ token, type }, index) => ({
            token_hash: hash('sha256', token, 'hex'),
            token_type: type,
            label: isOurs[index] === true ? 'true_positive' : 'false_positive',
          })),
        ),
      );
    });
  };
}

function unsigned(message: string): ServiceError {
  return new ServiceError('permission_denied', message, { reason: 'REPORT_NOT_SIGNED' });
}

/** @throws ServiceError `invalid_argument` for a body that is no list of finds. */
function parseFinds(body: Uint8Array): Find[] {
  let report: unknown;
  try {
    report = JSON.parse(Buffer.from(body).toString());
  } catch {
    throw malformed({ field: 'body', description: 'is not JSON' });
  }
  if (!Array.isArray(report)) throw malformed({ field: 'body', description: 'must be a list' });
  return report.map((find: Partial<Record<keyof Find, unknown>> | null, index) => {
    if (typeof find?.token !== 'string')
      throw malformed({ field: `[${index}].token`, description: 'must be a string' });
    return { token: find.token, type: textOf(find.type), url: textOf(find.url), source: textOf(find.source) };
  });
}

function malformed(violation: FieldViolation): ServiceError {
  return invalidArgument([violation], 'MALFORMED_REPORT');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
