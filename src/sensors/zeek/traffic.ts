// Zeek's logs of ordinary traffic. Most rows are no threat. A peer is reported if it is outside the home network and
// its traffic has no honest explanation, or not in that number.

import type { Protocol } from '../../domain/vocabulary.ts';
import { type Evidence, evidenceOf, httpExploit } from '../evidence.ts';
import { isControlProtocol, servedOn } from '../service-port.ts';
import { countIn, increased, responderPort, type ZeekContext, type ZeekFinding } from './finding.ts';
import type { ZeekRow } from './row.ts';

/** A peer is reported from this number of unanswered connections or failed logins on. Fewer happen to everybody. */
const REPEATED = 3;
/** A session that reads this many variables is a walk. */
const WALK = 50;

/** States of an unanswered connection: no answer, refused, or given up during the handshake. */
const UNANSWERED: ReadonlySet<string> = new Set(['S0', 'REJ', 'RSTOS0', 'SH']);
/** The originator broke off an established connection. It is a probe if it had sent nothing. */
const BROKEN_OFF = 'RSTO';

/** A peer that opened several TCP connections and used none of them. */
export function zeekConn(row: ZeekRow, context: ZeekContext): ZeekFinding | undefined {
  const address = outsider(row, context);
  if (address === undefined || row.get('proto') !== 'tcp' || !isProbe(row)) return undefined;
  if (increased(context.probes, address, 1) < REPEATED) return undefined;
  const protocol = servedOn(countIn(row, 'id.resp_p'));
  const evidence: Evidence = { 'scan.type': 'ports' };
  const state = row.get('conn_state') ?? 'S0';
  const isTelling = isControlProtocol(protocol) || state === BROKEN_OFF;
  return found(protocol, address, row, isTelling ? { ...evidence, connection: state } : evidence);
}

function isProbe(row: ZeekRow): boolean {
  const state = row.get('conn_state') ?? '';
  // A connection without its first packet only looks unanswered. The capture started late.
  if (row.get('history')?.startsWith('S') === false) return false;
  return UNANSWERED.has(state) || (state === BROKEN_OFF && countIn(row, 'orig_bytes') === 0);
}

/** A peer that guesses passwords. A successful login may be the network's own staff. */
export function zeekSsh(row: ZeekRow, context: ZeekContext): ZeekFinding | undefined {
  const address = outsider(row, context);
  if (address === undefined || row.get('auth_success') !== 'F' || row.get('direction') === 'OUTBOUND')
    return undefined;
  const attempts = Math.max(countIn(row, 'auth_attempts'), 1);
  const tries = increased(context.tries, address, attempts);
  if (tries < REPEATED) return undefined;
  const evidence = evidenceOf({
    'login.result': 'failed',
    'login.tries': String(tries),
    'client.version': row.get('client'),
    'client.hassh': row.get('hassh'),
  });
  return found('SSH', address, row, evidence, BigInt(attempts));
}

/** A request that carries a known form of payload. Any other request is traffic. */
export function zeekHttp(row: ZeekRow, context: ZeekContext): ZeekFinding | undefined {
  const address = outsider(row, context);
  if (address === undefined) return undefined;
  const evidence = httpExploit({
    method: row.get('method'),
    path: row.get('uri'),
    userAgent: row.get('user_agent'),
  });
  return evidence === undefined ? undefined : found('HTTP', address, row, evidence);
}

/** A peer outside reads or sets variables, or tries to. */
export function zeekSnmp(row: ZeekRow, context: ZeekContext): ZeekFinding | undefined {
  const address = outsider(row, context);
  const reads = countIn(row, 'get_requests') + countIn(row, 'get_bulk_requests');
  const operation =
    countIn(row, 'set_requests') > 0 ? 'set' : reads >= WALK ? 'walk' : reads > 0 ? 'get' : undefined;
  if (address === undefined || operation === undefined) return undefined;
  return found('SNMP', address, row, { 'snmp.operation': operation });
}

/** The originator, unless it is in the home network. */
function outsider(row: ZeekRow, { home }: ZeekContext): string | undefined {
  const address = row.get('id.orig_h');
  if (address === undefined || row.get('local_orig') === 'T') return undefined;
  return home.has(address) ? undefined : address;
}

function found(
  protocol: Protocol,
  address: string,
  row: ZeekRow,
  evidence: Evidence,
  count = 1n,
): ZeekFinding {
  const details = { ...evidence, ...responderPort(row) };
  return { sensorType: 'NETWORK', protocol, peer: { address, evidence: details, count } };
}
