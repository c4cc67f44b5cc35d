// Requests as a page of the service makes them in a browser: with its cookies, from the own origin.

import { type Answer, type RequestParts, send } from './http-client.ts';

/** What a browser and the application add to each request of a page of the service. */
export const OF_PAGE = { 'sec-fetch-site': 'same-origin', 'x-tis-request': '1' };

export class PageClient {
  readonly #url: string;
  /** The Cookie header; empty for none. */
  cookie: string;
  /** Every cookie that was given, as name and value. */
  readonly allCookies: string[] = [];

  constructor(url: string, cookie = '') {
    this.#url = url;
    this.cookie = cookie;
  }

  /** Keeps the cookie of the answer, as a browser does. */
  async send(path: string, parts: RequestParts = {}): Promise<Answer> {
    const headers = { ...OF_PAGE, ...(this.cookie === '' ? {} : { cookie: this.cookie }), ...parts.headers };
    const answer = await send(this.#url + path, { ...parts, headers });
    for (const given of answer.headers.getSetCookie()) {
      const [pair = '', ...attributes] = given.split('; ');
      this.allCookies.push(pair);
      if (pair.includes('session=')) this.cookie = attributes.includes('Max-Age=0') ? '' : pair;
    }
    return answer;
  }

  post(path: string, body: object = {}): Promise<Answer> {
    return this.send(path, { method: 'POST', body });
  }
}
