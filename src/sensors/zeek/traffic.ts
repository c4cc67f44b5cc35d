// Zeek's logs of ordinary traffic, in which most rows are no threat. What is reported came from outside the home net
// and has no honest explanation, or not that often.

import type { Protocol } from '../../domain/vocabulary.ts';
import { type Evidence, httpExploit } from '../evidence.ts';
import { isControlProtocol, servedOn } from '../service-port.ts';
import { countIn, increased, type ZeekContext, type ZeekFinding } from './finding.ts';
import type { ZeekRow } from './row.ts';

/** Connections to nothing, or failed logins, from which on a peer is reported: fewer happen to anybody. */
const REPEATED = 3;
/** Variables asked for in one session from which on it is a walk. */
const WALK = 50;

/** States in which nobody was served: no answer, refused, or given up before the handshake was over. */
const UNANSWERED: ReadonlySet<string> = new Set(['S0', 'REJ', 'RSTOS0', 'SH']);
/** The originator broke an established connection off; a probe if it had sent nothing. */
const BROKEN_OFF = 'RSTO';

/** A peer that opened several TCP connections and used none of them. */
export function zeekConn(row: ZeekRow, context: ZeekContext): ZeekFinding | undefined {
  const address = outsider(row, context);
  if (address === undefined || row.get('proto') !== 'tcp' || !isProbe(row)) return undefined;
  if (increased(context.probes, address, 1) < REPEATED) return undefined;
  const protocol = servedOn(countIn(row, 'id.resp_p'));
  const evidence: Evidence = { 'scan.type': 'ports' };
  return found(
    protocol,
    address,
    isControlProtocol(protocol) ? { ...evidence, connection: row.get('conn_state') ?? 'S0' } : evidence,
  );
}

function isProbe(row: ZeekRow): boolean {
  const state = row.get('conn_state') ?? '';
  // Without the first packet in it a connection only looks unanswered: the capture started late.
  if (row.get('history')?.startsWith('S') === false) return false;
  return UNANSWERED.has(state) || (state === BROKEN_OFF && countIn(row, 'orig_bytes') === 0);
}

/** A peer that guesses passwords. A success says nothing: it may be one's own staff. */
export function zeekSsh(row: ZeekRow, context: ZeekContext): ZeekFinding | undefined {
  const address = outsider(row, context);
  if (address === undefined || row.get('auth_success') !== 'F' || row.get('direction') === 'OUTBOUND')
    return undefined;
  const attempts = Math.max(countIn(row, 'auth_attempts'), 1);
  const tries = increased(context.tries, address, attempts);
  if (tries < REPEATED) return undefined;
  const evidence = { 'login.result': 'failed', 'login.tries': String(tries) };
  return found('SSH', address, evidence, BigInt(attempts));
}

/** A request that carries a known form of payload; any other, whatever host it names, is traffic. */
export function zeekHttp(row: ZeekRow, context: ZeekContext): ZeekFinding | undefined {
  const address = outsider(row, context);
  if (address === undefined) return undefined;
  const evidence = httpExploit({
    method: row.get('method'),
    path: row.get('uri'),
    userAgent: row.get('user_agent'),
  });
  return evidence === undefined ? undefined : found('HTTP', address, evidence);
}

/** Somebody outside manages, or tries to. */
export function zeekSnmp(row: ZeekRow, context: ZeekContext): ZeekFinding | undefined {
  const address = outsider(row, context);
  const reads = countIn(row, 'get_requests') + countIn(row, 'get_bulk_requests');
  const operation =
    countIn(row, 'set_requests') > 0 ? 'set' : reads >= WALK ? 'walk' : reads > 0 ? 'get' : undefined;
  if (address === undefined || operation === undefined) return undefined;
  return found('SNMP', address, { 'snmp.operation': operation });
}

/** The originator, unless it is at home or called from there. */
function outsider(row: ZeekRow, { home }: ZeekContext): string | undefined {
  const address = row.get('id.orig_h');
  if (address === undefined || row.get('local_orig') === 'T') return undefined;
  return home.has(address) ? undefined : address;
}

function found(protocol: Protocol, address: string, evidence: Evidence, count = 1n): ZeekFinding {
  return { sensorType: 'NETWORK', protocol, peer: { address, evidence, count } };
}
