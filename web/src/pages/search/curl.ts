// A request as a command to paste.

/** @param origin of the service. */
export function curlOf(origin: string, path: string, body: object): string {
  return [
    `curl -s ${origin}${path} \\`,
    `  -H "Authorization: Bearer $TIS_KEY" -H 'Content-Type: application/json' \\`,
    `  -d ${quoted(ascii(JSON.stringify(body)))}`,
  ].join('\n');
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** What a terminal might not show as it is becomes an escape of JSON. */
function ascii(json: string): string {
  return json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
