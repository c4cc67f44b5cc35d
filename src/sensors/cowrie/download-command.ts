// URLs in commands that an attacker types: wget, curl, tftp and ftpget, also as BusyBox applets. The text is split
// roughly as a shell does it, and never run.

/** How many characters of a command line are read, and how many URLs are taken from it. */
const TEXT_LIMIT = 8_192;
const URL_LIMIT = 32;
/** Depth of quoted commands such as `sh -c 'sh -c "wget …"'`. Attackers nest no deeper. */
const QUOTE_DEPTH = 3;

/** Quoted text, operators that end a simple command, and bare words. */
const TOKENS = /"([^"]*)"|'([^']*)'|([;|&\n\r()`]+)|([^\s"';|&()`]+)/g;

const SCHEME = /^(?:https?|ftps?|tftp):\/\/[^\s<>\\^{}]+$/i;
const HOST = /^(?:(?:\d{1,3}\.){3}\d{1,3}|(?:[a-z0-9-]{1,63}\.)+[a-z]{2,24})$/i;
const HOST_AND_REST = /^([^:/?]{1,253})(?::\d{1,5})?(?:[/?][^\s<>\\^{}]*)?$/;

/** Options that take the next word as their value. */
const WGET_OPTIONS = optionsOf('OoaPTtUeQwYi');
const CURL_OPTIONS = optionsOf('AbcCdDeEFHKmoPQrtTuUwxXyYz');
const TFTP_OPTIONS = optionsOf('lrbmP');
const FTPGET_OPTIONS = optionsOf('upP');
const LONG_OPTIONS: ReadonlySet<string> = new Set(
  (
    'output output-document output-file directory-prefix append-output user-agent header request data data-binary ' +
    'data-raw form cookie cookie-jar referer user password proxy timeout connect-timeout max-time tries retry'
  )
    .split(' ')
    .map((name) => `--${name}`),
);

type Tool = (words: readonly string[]) => string[];

const TOOLS: ReadonlyMap<string, Tool> = new Map<string, Tool>([
  ['wget', (words) => webUrls(positional(words, WGET_OPTIONS))],
  ['curl', (words) => webUrls(positional(words, CURL_OPTIONS))],
  ['tftp', tftpUrls],
  ['ftpget', ftpUrls],
]);

/**
 * Distinct URLs that a command line fetches, in the order of the text. A URL without a scheme gets the default of its
 * tool: `curl example.com` fetches `http://example.com`.
 */
export function fetchedUrls(commandLine: string): string[] {
  const urls = new Set<string>();
  collect(commandLine.slice(0, TEXT_LIMIT), QUOTE_DEPTH, urls);
  return [...urls].slice(0, URL_LIMIT);
}

function collect(text: string, depth: number, urls: Set<string>): void {
  for (const words of commandsIn(text)) {
    // A tool may follow other words (`sudo`, `busybox`, `nohup`) and may have a path.
    const at = words.findIndex((word) => TOOLS.has(baseName(word)));
    const tool = TOOLS.get(baseName(words[at] ?? ''));
    for (const url of tool?.(words.slice(at + 1)) ?? []) urls.add(url);
    if (depth === 0) continue;
    for (const word of words) if (/\s/.test(word)) collect(word, depth - 1, urls);
  }
}

/** The words of each simple command, without their quotes. */
function commandsIn(text: string): string[][] {
  let command: string[] = [];
  const commands = [command];
  let wordEnd = -1;
  for (const match of text.matchAll(TOKENS)) {
    const [token, double, single, operator, bare] = match;
    if (operator !== undefined) {
      command = [];
      commands.push(command);
      continue;
    }
    const part = double ?? single ?? bare ?? '';
    // Quoted and bare text without a space between them are one word.
    if (match.index === wordEnd && command.length > 0) command.push(`${command.pop()}${part}`);
    else command.push(part);
    wordEnd = match.index + token.length;
  }
  return commands;
}

function optionsOf(letters: string): ReadonlySet<string> {
  return new Set(letters);
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

/** The words that are not options, values of options or redirections. */
function positional(words: readonly string[], withValue: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (takesValue(word, withValue)) index += 1;
    else if (!/^(?:-|\d?[<>])/.test(word)) found.push(word);
  }
  return found;
}

/** True for `-O`, `-qO` (the last of several letters takes the value), `--output` and `>`. */
function takesValue(word: string, withValue: ReadonlySet<string>): boolean {
  if (/^-[A-Za-z]+$/.test(word)) return withValue.has(word.slice(-1));
  return LONG_OPTIONS.has(word) || /^\d?[<>]+$/.test(word);
}

/** False for a variable or a pattern, whose value is not in the text. */
function isLiteral(text: string): boolean {
  return !/[$*]/.test(text);
}

function webUrls(words: readonly string[]): string[] {
  return words.filter(isLiteral).flatMap((word) => {
    if (SCHEME.test(word)) return word;
    return HOST.test(HOST_AND_REST.exec(word)?.[1] ?? '') ? `http://${word}` : [];
  });
}

/** `tftp HOST -c get FILE`, `tftp -g -r FILE HOST` and the like. */
function tftpUrls(words: readonly string[]): string[] {
  const [host, ...rest] = positional(words, TFTP_OPTIONS);
  const get = rest.indexOf('get');
  const remote = words.indexOf('-r');
  const named = get === -1 ? undefined : rest[get + 1];
  return remoteFile('tftp', host, remote === -1 ? named : words[remote + 1]);
}

/** `ftpget [-u USER -p PASSWORD -P PORT] HOST LOCAL [REMOTE]`. */
function ftpUrls(words: readonly string[]): string[] {
  const [host, local, remote] = positional(words, FTPGET_OPTIONS);
  return remoteFile('ftp', host, remote ?? local);
}

function remoteFile(scheme: string, host = '', file = ''): string[] {
  if (!HOST.test(host) || !isLiteral(file)) return [];
  return [`${scheme}://${host}/${file.replace(/^\/+/, '')}`];
}
