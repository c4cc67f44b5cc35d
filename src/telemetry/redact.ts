// The last look at a log line before it leaves: whatever has the form of a credential is taken out. Nothing is meant to
// bring one here; this is for the day when the text of somebody else's error does.

/** API and sensor keys, identity tokens, and what follows the name of an authentication scheme. */
const CREDENTIAL =
  /\btiss?_[0-9A-Za-z]{20,}|\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?|\b(?:Bearer|Basic|Token) [\w+/.~-]{8,}/gi;

export function redact(line: string): string {
  return line.replace(CREDENTIAL, '[redacted]');
}
