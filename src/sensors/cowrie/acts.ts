// What an event of Cowrie shows: the act of the attacker, and the URLs, hosts and files in it.

import { type Evidence, evidenceOf } from '../evidence.ts';
import { type JsonObject, textOf } from '../framing/json-records.ts';
import { fileHashes, type Shown, urlAndHost } from '../observables.ts';
import { fetchedUrls } from './download-command.ts';

export interface Acts {
  /** Evidence about the attacker. */
  readonly evidence: Evidence;
  /** Observables other than the attacker. */
  readonly shown: readonly Shown[];
}

/**
 * Undefined for events without an act, such as the end of a session, and for those that describe the client
 * (client-details.ts). Also undefined for events that repeat another one: `command.failed` repeats the input, `direct-tcpip.data` the
 * request, and `log.closed` the terminal (its hash is that of a recording).
 * @param event without `cowrie.`
 * @param tries failed logins of this peer so far, with this one
 */
export function cowrieActs(event: string, record: JsonObject, tries: number): Acts | undefined {
  switch (event) {
    case 'session.connect':
      return acts(evidenceOf({ connection: 'established', 'destination.port': portOf(record) }));
    case 'login.failed':
      return acts({ 'login.result': 'failed', 'login.tries': String(tries), ...userOf(record) });
    case 'login.success':
      return acts({ 'login.result': 'success', ...defaultCredentials(record), ...userOf(record) });
    case 'command.input':
      return command(textOf(record.input) ?? '');
    case 'session.file_download':
      return download(record);
    case 'session.file_download.failed': {
      const url = textOf(record.url);
      const failed = evidenceOf({ 'file.download_failed': url });
      return url === undefined ? undefined : acts(failed, urlAndHost(url, failed));
    }
    case 'session.file_upload':
      return upload(textOf(record.filename), record);
    case 'direct-tcpip.request':
      // The target is a victim or a service and not a threat, so it stays evidence.
      return acts(evidenceOf({ 'proxy.request': `${record.dst_ip ?? '?'}:${record.dst_port ?? '?'}` }));
    default:
      return undefined;
  }
}

function acts(evidence: Evidence, shown: readonly Shown[] = []): Acts {
  return { evidence, shown };
}

function portOf({ dst_port: port }: JsonObject): string | undefined {
  return typeof port === 'number' ? String(port) : undefined;
}

function userOf({ username }: JsonObject): Evidence {
  return evidenceOf({ 'login.user': textOf(username) });
}

function defaultCredentials({ username, password }: JsonObject): Evidence {
  const used =
    typeof username === 'string' && typeof password === 'string' && areDefaultCredentials(username, password);
  return used ? { 'login.default_credentials': 'true' } : {};
}

function command(input: string): Acts | undefined {
  if (input.trim() === '') return undefined;
  const shown = fetchedUrls(input).flatMap((url) => urlAndHost(url, evidenceOf({ 'command.download': url })));
  return acts(evidenceOf({ 'command.input': input }), shown);
}

/**
 * Cowrie logs three things as a download: a file that was fetched, the standard input of a command (`scp`, `cat >
 * x`), and the output of a redirection. The last is text that an attacker typed, not a captured file.
 */
function download(record: JsonObject): Acts | undefined {
  const url = textOf(record.url);
  if (url?.includes('://') === true) {
    const evidence = evidenceOf({ 'file.download': url, 'file.name': nameOf(record) });
    const hashes = fileHashes([textOf(record.shasum)], evidence);
    return acts(evidence, [...urlAndHost(url, evidence), ...hashes]);
  }
  const fromStandardInput = url === 'stdin' || (url === undefined && record.destfile === '');
  return fromStandardInput ? upload('standard input', record) : undefined;
}

/** The path under which the attacker stored the file. */
function nameOf({ destfile, filename }: JsonObject): string | undefined {
  return textOf(filename) ?? textOf(destfile);
}

function upload(name: string | undefined, record: JsonObject): Acts {
  const hash = textOf(record.shasum);
  const evidence = evidenceOf({ 'file.upload': hash ?? name ?? 'a file', 'file.name': nameOf(record) });
  return acts(evidence, fileHashes([hash], evidence));
}

/**
 * Pairs that vendors ship devices with, as botnets try them: `user:password`, or `user:` for no password. Only
 * whether a login used one of them is kept. What was typed is never kept.
 */
const PAIRS: ReadonlySet<string> = new Set(
  `root: root:root root:admin root:1234 root:12345 root:123456 root:pass root:password root:default root:user root:system
  root:vizxv root:xc3511 root:xmhdipc root:juantech root:54321 root:888888 root:666666 root:klv123 root:klv1234
  root:Zte521 root:hi3518 root:jvbzd root:anko root:zlxx. root:7ujMko0vizxv root:7ujMko0admin root:ikwb root:dreambox
  root:realtek root:00000000 root:1111 root:1111111 root:1001chin root:cat1029 root:hunt5759 root:icatch99 root:GM8182
  root:toor root:alpine root:raspberry root:ubnt root:calvin root:changeme root:oelinux123 root:tini root:5up
  admin: admin:admin admin:1234 admin:12345 admin:123456 admin:password admin:pass admin:default admin:54321
  admin:1111 admin:1111111 admin:4321 admin:smcadmin admin:admin1234 admin:7ujMko0admin admin:meinsm admin:changeme
  admin1:password administrator:1234 administrator:admin Administrator:admin
  guest: guest:guest guest:12345 user: user:user support:support service:service supervisor:supervisor tech:tech
  ubnt:ubnt pi:raspberry default: default:default default:OxhlwSG8 default:S2fGqNFs daemon:daemon 666666:666666
  888888:888888 telnet:telnet telecomadmin:admintelecom cisco:cisco ftp:ftp nagios:nagios
  oracle:oracle postgres:postgres tomcat:tomcat vagrant:vagrant ubuntu:ubuntu USER:USER PLC:PLC wago:wago
  operator:operator engineer:engineer`.split(/\s+/),
);

function areDefaultCredentials(user: string, password: string): boolean {
  return PAIRS.has(`${user}:${password}`);
}
