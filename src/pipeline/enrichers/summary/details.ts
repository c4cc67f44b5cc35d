// With what: the command, the request, the file, the names and the rule that were seen, quoted.

import { type Highlight, highlighted } from '../../../domain/evidence/highlights.ts';
import type { Role } from './acts.ts';
import { listed } from './extent.ts';
import { plainName, quoted } from './quoted.ts';

/** A sentence with more than two things has to be read twice. */
const TOLD = 2;
const FAMILIES = 2;

/** One sentence, or none. */
export function detailsOf(
  highlights: readonly Highlight[],
  families: readonly string[],
  role: Role,
  isExploit: boolean,
): readonly string[] {
  const first = (key: string) => highlighted(highlights, key)[0];
  const [command, path, cve] = [first('command.input'), first('http.path'), first('exploit.cve')];
  const [file, source, client] = [first('file.name'), first('file.download'), first('client.version')];
  const users = highlighted(highlights, 'login.user');
  const rule = first('alert.rule');
  const agent = first('http.user_agent');

  const clauses: string[] = [];
  if (families.length > 0)
    clauses.push(`belongs to the malware ${listed(families.slice(0, FAMILIES).map(plainName))}`);
  if (role === 'actor') {
    if (command !== undefined) clauses.push(`ran ${quoted(command)}`);
    if (cve !== undefined) clauses.push(`aimed at ${plainName(cve)}`);
    if (path !== undefined && path !== '/') clauses.push(`requested ${quoted(path)}`);
    if (isExploit && agent !== undefined) clauses.push(`called itself ${quoted(agent)}`);
    if (file !== undefined) clauses.push(`brought the file ${quoted(file)}`);
    if (users.length > 0) clauses.push(`tried to log in as ${listed(users.map(quoted))}`);
    if (client !== undefined) clauses.push(`called itself ${quoted(client)}`);
  } else {
    if (file !== undefined) clauses.push(`was named ${quoted(file)}`);
    if (role === 'file' && source !== undefined) clauses.push(`came from ${quoted(source)}`);
  }
  const sentences = clauses.length === 0 ? [] : [`It ${clauses.slice(0, TOLD).join(' and ')}.`];
  if (rule !== undefined && clauses.length < TOLD) sentences.push(`The rule ${quoted(rule)} matched.`);
  return sentences.slice(0, 1);
}
