// Where to go after signing in: a page of this application and nothing else.

/** @param wanted a path such as `/app/queue?x=y`. @returns the path below `/app`. */
export function pathAfterSignIn(wanted: string | null): string {
  if (wanted === null || !wanted.startsWith('/app/')) return '/';
  // Browsers read `\` as `/`, and drop control characters.
  if (/[\\\p{C}]|\/\//u.test(wanted.split(/[?#]/, 1)[0] ?? '') || /[\\\p{C}]/u.test(wanted)) return '/';
  const path = wanted.slice('/app'.length);
  return /^\/(?:sign-in|welcome)\b/.test(path) ? '/' : path;
}
