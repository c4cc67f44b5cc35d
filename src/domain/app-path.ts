// Where a browser may be sent after a sign-in: a page of this service's own web application, and nowhere else.

const APP = '/app/';
/** Printable ASCII without a backslash, which browsers read as a slash. */
const CHARACTERS = /^[!-[\]-~]*$/;
const MAX_LENGTH = 1_024;

/** Whether the text is a path (with query and fragment) below `/app/` of whatever origin resolves it. */
export function isAppPath(text: string): boolean {
  if (text.length > MAX_LENGTH || !text.startsWith(APP) || !CHARACTERS.test(text)) return false;
  const [path = ''] = text.split(/[?#]/, 1);
  // Dot segments lead out of /app/, also when they are written as escapes.
  const resolved = URL.parse(text, 'https://own.invalid');
  return !path.includes('//') && resolved?.host === 'own.invalid' && resolved.pathname.startsWith(APP);
}
