// Clients that search without pause and count requests and answers.

import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

export interface LoadCount {
  /** Searches sent. */
  readonly sent: number;
  /** Searches with a complete answer of status 200. */
  readonly answered: number;
}

export interface SearchLoad {
  readonly count: LoadCount;
  /** Resolves when so many searches have been answered. */
  reached(answered: number): Promise<void>;
  /** Resolves, once the service is gone, when every client has noticed. */
  readonly ended: Promise<void>;
}

/** Every client searches until the service no longer answers. */
export function startSearchLoad(url: string, key: string, clients: number): SearchLoad {
  const count = { sent: 0, answered: 0 };
  const client = async (): Promise<void> => {
    for (;;) {
      count.sent += 1;
      const answer = await search(url, key);
      if (answer === undefined) return;
      assert.equal(answer.status, 200, answer.text);
      count.answered += 1;
    }
  };
  const ended = Promise.all(Array.from({ length: clients }, client)).then(() => undefined);
  return {
    count,
    ended,
    reached: async (answered) => {
      while (count.answered < answered) {
        await Promise.race([delay(1), ended.then(() => assert.fail('the clients have no service any more'))]);
      }
    },
  };
}

/** Undefined when the answer is incomplete. */
async function search(url: string, key: string): Promise<{ status: number; text: string } | undefined> {
  try {
    const response = await fetch(`${url}/v1/indicators/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: '{"page_size":2}',
    });
    return { status: response.status, text: await response.text() };
  } catch {
    return undefined;
  }
}
