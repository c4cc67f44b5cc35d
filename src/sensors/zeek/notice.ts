// Zeek's notices and intelligence hits. Only notices that name an attacker or a malicious file are read. Other
// notices are about the network's own hosts, certificates or the sensor.

import type { IndicatorType, Protocol } from '../../domain/vocabulary.ts';
import { type Evidence, evidenceOf } from '../evidence.ts';
import { fileHashes, urlAndHost } from '../observables.ts';
import type { ZeekFinding } from './finding.ts';
import type { ZeekRow } from './row.ts';

const HEARTBLEED: Evidence = { 'exploit.cve': 'CVE-2014-0160' };

/** Notices whose source is an attacker. */
const ATTACKERS: ReadonlyMap<string, readonly [protocol: Protocol, evidence: (row: ZeekRow) => Evidence]> =
  new Map([
    ['SSH::Password_Guessing', ['SSH', guessing]],
    ['SSH::Login_By_Password_Guesser', ['SSH', () => ({ 'login.result': 'success' })]],
    ['FTP::Bruteforcing', ['FTP', guessing]],
    ['HTTP::SQL_Injection_Attacker', ['HTTP', () => ({ 'http.attack': 'sqli' })]],
    ['Heartbleed::SSL_Heartbeat_Attack', ['UNSPECIFIED', () => HEARTBLEED]],
    ['Heartbleed::SSL_Heartbeat_Attack_Success', ['UNSPECIFIED', () => HEARTBLEED]],
  ]);

const MALWARE_HASH = 'TeamCymruMalwareHashRegistry::Match';
/** Packages name their module after a vulnerability: `CVE_2021_44228::LOG4J_ATTEMPT_HEADER`. */
const CVE_MODULE = /^CVE_(\d{4})_(\d{4,7})::/;

export function zeekNotice(row: ZeekRow): ZeekFinding | undefined {
  const note = row.get('note') ?? '';
  if (note === MALWARE_HASH) return malware(row);
  const [protocol, evidenceIn] = ATTACKERS.get(note) ?? [];
  const act = evidenceIn?.(row) ?? scan(note) ?? vulnerability(note);
  if (act === undefined) return undefined;
  const port = row.get('p');
  const evidence = {
    ...act,
    ...evidenceOf({ 'alert.rule': note, 'destination.port': port === '0' ? undefined : port }),
  };
  const address = row.get('src') ?? row.get('id.orig_h');
  return { sensorType: 'NETWORK', protocol: protocol ?? 'UNSPECIFIED', peer: { address, evidence } };
}

function scan(note: string): Evidence | undefined {
  if (!note.startsWith('Scan::') || note.startsWith('Scan::Backscatter')) return undefined;
  return { 'scan.type': note === 'Scan::Address_Scan' ? 'addresses' : 'ports' };
}

function vulnerability(note: string): Evidence | undefined {
  const [, year, number] = CVE_MODULE.exec(note) ?? [];
  return number === undefined ? undefined : { 'exploit.cve': `CVE-${year}-${number}` };
}

/** The message has the number of tries: `… (seen in 30 connections)`, `… had 20 failed logins on 1 FTP server`. */
function guessing(row: ZeekRow): Evidence {
  const tries = /(\d{1,9}) (?:connections|failed logins)/.exec(row.get('msg') ?? '')?.[1];
  return evidenceOf({ 'login.result': 'failed', 'login.tries': tries });
}

/** A known malicious file. The address of its report has its SHA-1, and `file_desc` its own URL. */
function malware(row: ZeekRow): ZeekFinding | undefined {
  const hash = /\b[0-9a-f]{40}\b/i.exec(row.get('sub') ?? '')?.[0];
  const url = row.get('file_desc');
  const evidence = evidenceOf({ 'file.download': url ?? hash });
  const shown = [...fileHashes([hash], evidence), ...urlAndHost(url ?? '', evidence)];
  return shown.length === 0 ? undefined : { sensorType: 'NETWORK', protocol: 'UNSPECIFIED', shown };
}

/** Types of the intelligence framework. User names, file names and the like are not indicators here. */
const INTEL_TYPES: ReadonlyMap<string, IndicatorType> = new Map([
  ['Intel::ADDR', 'UNSPECIFIED'],
  ['Intel::SUBNET', 'CIDR'],
  ['Intel::URL', 'URL'],
  ['Intel::DOMAIN', 'DOMAIN'],
  ['Intel::EMAIL', 'EMAIL'],
  ['Intel::FILE_HASH', 'UNSPECIFIED'],
  ['Intel::CERT_HASH', 'SSL_CERT_FINGERPRINT'],
]);

/** A listed indicator was seen again. It counts as much as a list does, and as a sighting. */
export function zeekIntel(row: ZeekRow): ZeekFinding | undefined {
  const type = INTEL_TYPES.get(row.get('seen.indicator_type') ?? '');
  const value = row.get('seen.indicator');
  if (type === undefined || value === undefined) return undefined;
  return { sensorType: 'NETWORK', protocol: 'UNSPECIFIED', shown: [{ type, value, evidence: {} }] };
}
