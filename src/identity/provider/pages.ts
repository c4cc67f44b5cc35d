// The few pages that the provider shows itself: that a request failed, and the two of signing out. They have no script.

import { hash } from 'node:crypto';

const STYLE =
  'body{font:14px/1.5 system-ui,sans-serif;max-width:34em;margin:12vh auto;padding:0 1.5em;color-scheme:light dark}h1{font-size:1.3em;font-weight:600}button{font:inherit;padding:.4em 1em;margin-right:.6em}code{overflow-wrap:anywhere}';

/** The hash of the one style above, so that no other can be put in, and no script. */
export function pagePolicy(): string {
  const style = hash('sha256', STYLE, 'base64');
  return `default-src 'none'; style-src 'sha256-${style}'; script-src 'none'; base-uri 'none'; frame-ancestors 'none'`;
}

/** @param markup trusted, or escaped. */
function page(title: string, markup: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1>${markup}</main></body></html>`;
}

export function errorPage(error: string, description: string | undefined): string {
  const words = description === undefined ? '' : `<p>${escaped(description)}</p>`;
  return page(
    'The sign-in cannot go on',
    `${words}<p>Error: <code>${escaped(error)}</code>. Go back to where you came from and try again; if this stays, tell whoever runs that application.</p>`,
  );
}

/** @param form of the library, without a button. */
export function signOutPage(form: string): string {
  return page(
    'Sign out of the Threat Indicator Service?',
    `${form}<p>You are also signed out of its own pages in this browser.</p><p><button form="op.logoutForm" type="submit" name="logout" value="yes">Sign out</button><button form="op.logoutForm" type="submit">Stay signed in</button></p>`,
  );
}

export function signedOutPage(): string {
  return page('You are signed out', '<p>You can close this page.</p>');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
