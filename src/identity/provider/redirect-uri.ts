// Addresses to which a browser may carry a code (RFC 9700 §2.1, RFC 8252 §7.3).

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const MAX_LENGTH = 500;

/** https, or http on loopback; in the form that a browser would send, so that comparing characters is enough. */
export function isRedirectUri(text: string): boolean {
  const url = URL.parse(text);
  if (
    url === null ||
    text.length > MAX_LENGTH ||
    text.includes('#') ||
    url.username !== '' ||
    url.password !== ''
  )
    return false;
  if (url.href !== text && url.href !== `${text}/`) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
}
