// What an event of Cowrie shows an attacker doing, and which URLs, hosts and files it brings to light.

import { type Evidence, evidenceOf } from '../evidence-text.ts';
import { fileHashes } from '../file-hash.ts';
import { type JsonObject, textOf } from '../framing/json-record.ts';
import type { Shown } from '../sensor-record.ts';
import { urlAndHost } from '../url-observables.ts';
import { areDefaultCredentials } from './default-credentials.ts';
import { fetchedUrls } from './download-command.ts';

export interface Acts {
  /** About the attacker. */
  readonly evidence: Evidence;
  /** Besides the attacker. */
  readonly shown: readonly Shown[];
}

/**
 * Undefined for events that show no act (a session's end, the key exchange with its HASSH, which is no JA3), or only
 * repeat another: `command.failed` the input, `direct-tcpip.data` the request, `log.closed` the terminal, whose hash is
 * that of a recording.
 * @param event without `cowrie.`
 * @param tries failed logins of this peer so far, this one included
 */
export function cowrieActs(event: string, record: JsonObject, tries: number): Acts | undefined {
  switch (event) {
    case 'session.connect':
      return acts({ connection: 'established' });
    case 'login.failed':
      return acts({ 'login.result': 'failed', 'login.tries': String(tries) });
    case 'login.success':
      return acts({ 'login.result': 'success', ...defaultCredentials(record) });
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
      // Where the attacker wanted to go is a victim or a service, not a threat: it stays evidence.
      return acts(evidenceOf({ 'proxy.request': `${record.dst_ip ?? '?'}:${record.dst_port ?? '?'}` }));
    default:
      return undefined;
  }
}

function acts(evidence: Evidence, shown: readonly Shown[] = []): Acts {
  return { evidence, shown };
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
 * Three things are logged as a download: a file that was fetched, what came in through the standard input of a command
 * (`scp`, `cat > x`), and what a redirection wrote. The last is text an attacker typed, no captured file.
 */
function download(record: JsonObject): Acts | undefined {
  const url = textOf(record.url);
  if (url?.includes('://') === true) {
    const evidence = evidenceOf({ 'file.download': url });
    const hashes = fileHashes([textOf(record.shasum)], evidence);
    return acts(evidence, [...urlAndHost(url, evidence), ...hashes]);
  }
  const fromStandardInput = url === 'stdin' || (url === undefined && record.destfile === '');
  return fromStandardInput ? upload('standard input', record) : undefined;
}

function upload(name: string | undefined, record: JsonObject): Acts {
  const hash = textOf(record.shasum);
  const evidence = evidenceOf({ 'file.upload': hash ?? name ?? 'a file' });
  return acts(evidence, fileHashes([hash], evidence));
}
