// Observables of a Suricata alert: the peer that attacks or is called, and the URL, name, certificate and files of a
// malicious server. The home network decides which end is the threat.

import type { Severity } from '../../domain/vocabulary.ts';
import { type Evidence, evidenceOf, httpExploit } from '../evidence.ts';
import { isJsonObject, type JsonObject, textOf } from '../framing/json-records.ts';
import type { Direction, HomeNet } from '../home-net.ts';
import { fileHashes, peer, type Shown, shownBy } from '../observables.ts';
import type { RefusalReason } from '../reader.ts';
import { type AlertClass, type AlertKind, alertClass } from './class.ts';

/** Severities by the number in the rule. 1 is the worst. */
const SEVERITIES: readonly Severity[] = ['UNSPECIFIED', 'HIGH', 'MEDIUM', 'LOW', 'INFO'];

/** Kinds whose rules look for software. Fingerprints and files in such an alert belong to that software. */
const SOFTWARE: ReadonlySet<AlertKind> = new Set(['malware', 'command-and-control']);
const ATTACKS: ReadonlySet<AlertKind> = new Set(['scan', 'exploit', 'denial-of-service', 'brute-force']);

const DNS_PORT = 53;
/** Servers listen on ports below this one. */
const SERVICE_PORTS = 1_024;
const CVE = /(?:CVE[-_])?((?:19|20)\d{2})[-_](\d{4,7})/i;

/** The end of a connection that is not in the home network. */
interface Outside {
  readonly address: string;
  readonly port: number;
  /** True if it opened the connection. */
  readonly isClient: boolean;
}

/**
 * Observables of an alert. Undefined when there are none, or the reason when the threat cannot be told.
 * - inbound, internal, unknown: the source of the packet. Private addresses pass: the pipeline refuses and counts
 *   them.
 * - outbound: the destination, if the rule is about software that calls out. An inside host that scans or breaks a
 *   policy is not an indicator.
 * - unknown, and the rule is about software that calls out: nobody can tell which end is the victim.
 */
export function alertFindings(
  record: JsonObject,
  home: HomeNet,
): readonly Shown[] | RefusalReason | undefined {
  const alert = isJsonObject(record.alert) ? record.alert : {};
  const found = alertClass(textOf(alert.category) ?? '', textOf(alert.signature) ?? '');
  if (found === undefined) return undefined;
  const names = queriedNames(record);
  if (found.callsOut === true && isLookup(record)) {
    // The resolver is not a threat, and the client is a victim. Only the name is an observable.
    return rated(
      alert,
      names.map((value) => ({ type: 'DOMAIN', value, evidence: evidenceFor(found.kind, alert) })),
      found.kind,
    );
  }
  const outside = outsideOf(record, found, home);
  if (typeof outside !== 'object') return outside;

  const kind = outside.isClient ? (found.asClient ?? found.kind) : found.kind;
  const evidence = evidenceFor(kind, alert);
  const details = { ...evidence, ...clientIn(record, outside) };
  const who = peer(
    outside.address,
    ATTACKS.has(kind) ? { ...details, ...actIn(record, alert, outside) } : details,
  );
  if (who === undefined) return 'INVALID_ADDRESS';
  const shown = [who, ...shownBy(belongings(record, kind, found, outside, evidence), outside.address)];
  return rated(alert, shown, kind);
}

function evidenceFor(kind: AlertKind, alert: JsonObject): Evidence {
  return evidenceOf({
    'alert.kind': kind,
    'attack.technique': metadata(alert, 'mitre_technique_id'),
    'alert.rule': textOf(alert.signature),
    'alert.sid': typeof alert.signature_id === 'number' ? String(alert.signature_id) : undefined,
  });
}

/** What the outside end told as a client, and the port inside that it addressed. */
function clientIn(record: JsonObject, { isClient, port }: Outside): Evidence {
  if (!isClient) return {};
  const tls = isJsonObject(record.tls) ? record.tls : {};
  const ssh = isJsonObject(record.ssh) ? record.ssh : {};
  const client = isJsonObject(ssh.client) ? ssh.client : {};
  const hassh = isJsonObject(client.hassh) ? client.hassh : {};
  const inside = [portOf(record.src_port), portOf(record.dest_port)].find((one) => one !== port);
  return evidenceOf({
    'destination.port': inside === undefined || inside === 0 ? undefined : String(inside),
    'tls.ja3': isJsonObject(tls.ja3) ? textOf(tls.ja3.hash) : undefined,
    'client.version': textOf(client.software_version),
    'client.hassh': textOf(hassh.hash),
  });
}

/** The vulnerability that the rule names, and the request that it matched. */
function actIn({ http }: JsonObject, alert: JsonObject, { isClient }: Outside): Evidence {
  const [, year, number] = CVE.exec(metadata(alert, 'cve') ?? '') ?? [];
  const request = isClient && isJsonObject(http) ? http : {};
  return {
    ...evidenceOf({ 'exploit.cve': number === undefined ? undefined : `CVE-${year}-${number}` }),
    ...httpExploit({
      method: textOf(request.http_method),
      path: textOf(request.url),
      userAgent: textOf(request.http_user_agent),
    }),
  };
}

/** The values of a member of the rule's metadata. They are lists of text. */
function metadata({ metadata: members }: JsonObject, name: string): string | undefined {
  const values = isJsonObject(members) ? members[name] : undefined;
  return Array.isArray(values)
    ? values.filter((value) => typeof value === 'string').join(' ')
    : textOf(values);
}

/** The rules give adware the priority of a Trojan. */
function rated(
  { severity }: JsonObject,
  shown: readonly Shown[],
  kind: AlertKind,
): readonly Shown[] | undefined {
  if (shown.length === 0) return undefined;
  const told = (typeof severity === 'number' ? SEVERITIES[severity] : undefined) ?? 'UNSPECIFIED';
  const rating = kind === 'adware' ? 'LOW' : told;
  return shown.map((item) => ({ ...item, severity: rating }));
}

/** The outside end of the alert. Undefined when the outside is not a threat, or the reason when that cannot be told. */
function outsideOf(
  record: JsonObject,
  { callsOut }: AlertClass,
  home: HomeNet,
): Outside | RefusalReason | undefined {
  const source = textOf(record.src_ip);
  const destination = textOf(record.dest_ip);
  if (source === undefined || destination === undefined) return 'MISSING_ADDRESS';
  const direction = home.direction(source, destination);
  const fromClient = isFromClient(record, direction);
  if (direction === 'outbound') {
    const port = portOf(record.dest_port);
    return callsOut === true ? { address: destination, port, isClient: !fromClient } : undefined;
  }
  if (direction === 'unknown' && callsOut === true) return 'UNKNOWN_DIRECTION';
  if (home.isOwn(source)) return 'SENSOR_ADDRESS';
  return { address: source, port: portOf(record.src_port), isClient: fromClient };
}

/** Whether the source of the packet opened the connection. Newer versions say so; otherwise the ports decide. */
function isFromClient(
  { direction, flow, src_ip, src_port, dest_port }: JsonObject,
  seen: Direction,
): boolean {
  if (typeof direction === 'string') return direction === 'to_server';
  if (isJsonObject(flow) && typeof flow.src_ip === 'string') return flow.src_ip === src_ip;
  const source = portOf(src_port);
  const destination = portOf(dest_port);
  if (source < SERVICE_PORTS !== destination < SERVICE_PORTS) return source >= SERVICE_PORTS;
  return seen === 'outbound' || source > destination;
}

function portOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** Observables that belong to a malicious server, or to the software that calls it. */
function belongings(
  record: JsonObject,
  kind: AlertKind,
  { callsOut }: AlertClass,
  outside: Outside,
  evidence: Evidence,
): Shown[] {
  const tls = isJsonObject(record.tls) ? record.tls : {};
  const shown: Shown[] = [];
  const ja3 = isJsonObject(tls.ja3) ? textOf(tls.ja3.hash) : undefined;
  // The client is the tool of the attacker, or malware inside. A browser that meets a malicious server is neither.
  if (ja3 !== undefined && (outside.isClient || SOFTWARE.has(kind)))
    shown.push({ type: 'JA3', value: ja3, evidence });
  if (callsOut !== true || outside.isClient) return shown;

  const url = urlIn(record.http, outside);
  const name = textOf(tls.sni);
  const fingerprint = textOf(tls.fingerprint);
  if (url !== undefined) shown.push({ type: 'URL', value: url, evidence });
  if (name !== undefined) shown.push({ type: 'DOMAIN', value: name, evidence });
  if (fingerprint !== undefined) shown.push({ type: 'SSL_CERT_FINGERPRINT', value: fingerprint, evidence });
  if (SOFTWARE.has(kind)) shown.push(...filesIn(record));
  return shown;
}

function urlIn(http: unknown, { address, port }: Outside): string | undefined {
  if (!isJsonObject(http)) return undefined;
  const path = textOf(http.url);
  if (path === undefined || path.includes('://')) return path;
  const host = textOf(http.hostname) ?? (address.includes(':') ? `[${address}]` : address);
  return path.startsWith('/')
    ? `http://${host}${port === 80 || port === 0 ? '' : `:${port}`}${path}`
    : undefined;
}

/** Files in the alert itself, unless they were cut off. */
function filesIn({ files, fileinfo }: JsonObject): Shown[] {
  const all = [...(Array.isArray(files) ? (files as unknown[]) : []), fileinfo];
  return all.flatMap((file) => {
    if (!isJsonObject(file) || file.state === 'TRUNCATED' || file.gaps === true) return [];
    const hashes = [file.sha256, file.sha1, file.md5].map((hash) => textOf(hash));
    return fileHashes(hashes, evidenceOf({ 'alert.kind': 'malware', 'file.name': textOf(file.filename) }));
  });
}

function isLookup({ app_proto, src_port, dest_port }: JsonObject): boolean {
  return app_proto === 'dns' || src_port === DNS_PORT || dest_port === DNS_PORT;
}

/** Names in the DNS queries, in the shapes of versions 4 to 8. */
function queriedNames({ dns }: JsonObject): string[] {
  if (!isJsonObject(dns)) return [];
  const asked = [dns.query, dns.queries].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  return [dns, ...asked].flatMap((query) => (isJsonObject(query) ? (textOf(query.rrname) ?? []) : []));
}
