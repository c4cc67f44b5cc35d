// The one way to the service: JSON with the session cookie. An ended session asks the person to sign in again, and the
// request is then repeated, so that nothing typed is lost.

import { errorOf, ServiceError } from './service-error.ts';

export interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Members that are undefined or empty are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** Takes 401 as an answer instead of asking the person to sign in again. */
  readonly anonymous?: boolean;
}

/** @returns whether the same person has signed in again. */
type SignInAgain = () => Promise<boolean>;
let signInAgain: SignInAgain | undefined;

/** Says what to do when the session has ended. */
export function onSessionEnd(ask: SignInAgain | undefined): void {
  signInAgain = ask;
}

/** @throws ServiceError for every answer but 2xx; DOMException `AbortError` when it was cancelled. */
export async function call<Answer>(path: string, options: CallOptions = {}): Promise<Answer> {
  let response = await send(path, options);
  if (response.status === 401 && options.anonymous !== true && signInAgain !== undefined) {
    if (await signInAgain()) response = await send(path, options);
  }
  if (!response.ok) throw await errorOf(response);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

async function send(path: string, { method, body, query = {}, signal }: CallOptions): Promise<Response> {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') words.set(name, String(value));
  }
  const url = words.size === 0 ? path : `${path}?${words}`;
  try {
    return await fetch(url, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      credentials: 'same-origin',
      redirect: 'error',
      headers: {
        accept: 'application/json',
        'x-tis-request': '1',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ServiceError(0, { message: 'It may be stopped, or the network is down.' });
  }
}
