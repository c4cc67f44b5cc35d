// Reading from the service outside of a measurement: pages for the yardsticks, and the places of the feed.

import type { Server } from './processes.ts';
import { type Call, type Headers, pathOf } from './scenarios.ts';

/** The largest page size, so that walking the whole feed takes few requests. */
const WALK_LIMIT = 5_000;

interface Answer {
  readonly body: string;
  readonly headers: globalThis.Headers;
}

/** @throws Error for an answer that is not 200. */
export async function answerTo(server: Server, call: Call, headers: Headers): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${server.port}${pathOf(call)}`, {
    headers: { ...headers, ...('search' in call ? { 'content-type': 'application/json' } : {}) },
    ...('search' in call ? { method: 'POST', body: JSON.stringify(call.search) } : {}),
  });
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${pathOf(call)} answered ${response.status}: ${body}`);
  return { body, headers: response.headers };
}

/** Walks the whole feed. @returns the date added of the last entry of every page. */
export async function walkFeed(server: Server, headers: Headers): Promise<readonly string[]> {
  const places: string[] = [];
  for (;;) {
    const addedAfter = places.at(-1);
    const poll = { limit: WALK_LIMIT, ...(addedAfter === undefined ? {} : { addedAfter }) };
    const answer = await answerTo(server, { poll }, headers);
    if (!answer.body.includes('"objects"')) return places;
    places.push(answer.headers.get('x-taxii-date-added-last') ?? '');
  }
}
