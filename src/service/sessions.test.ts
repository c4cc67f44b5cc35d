import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HOUR, MINUTE } from '../domain/instant.ts';
import { createSiteOf } from '../gateway/site.ts';
import { secretTokenHash } from '../identity/secret-token.ts';
import type { SignedIn } from '../store/session.ts';
import { createSessions } from './sessions.ts';

const START = Date.UTC(2026, 10, 22);
const TOKEN = 'a'.repeat(43);

it('a request keeps a session in use, stored every five minutes, and looks of a stream do not', async () => {
  let now = START;
  const touched: number[] = [];
  let signedIn: SignedIn = {
    session: {
      id: 's',
      personId: 'p',
      method: 'link',
      createdAt: START,
      lastUsedAt: START,
      expiresAt: START + 100 * HOUR,
      address: '',
      agent: '',
    },
    person: {
      id: 'p',
      login: 'ann',
      name: 'Ann',
      account: 'default',
      roles: ['reader'],
      tlpCeiling: 'GREEN',
      reliability: 0.5,
      createdBy: 'cli',
      createdAt: START,
    },
  };
  const { credentials, noteUse } = createSessions({
    siteOf: createSiteOf({ publicUrl: undefined, tls: false }),
    sessions: { byHash: async (hash) => (hash === secretTokenHash(TOKEN) ? signedIn : undefined) },
    commands: {
      touchSession: async () => {
        touched.push(now - START);
        signedIn = { ...signedIn, session: { ...signedIn.session, lastUsedAt: now } };
      },
    },
    clock: () => now,
    monotonic: () => now,
    onExpired: async () => undefined,
  });
  const headers = { host: 'localhost', cookie: `tis-session=${TOKEN}`, 'sec-fetch-site': 'same-origin' };
  const look = async () => {
    const caller = await credentials.authenticate(headers, 'GET');
    assert.ok(caller);
    return caller;
  };
  const ask = async () => noteUse(await look());

  await ask();
  now += 5 * MINUTE;
  await look();
  assert.deepEqual(touched, []);
  await ask();
  await ask();
  now += 5 * MINUTE - 1;
  await ask();
  now += 1_000;
  await ask();
  assert.deepEqual(touched, [5 * MINUTE, 10 * MINUTE + 999]);
  for (const end = now + 12 * HOUR; now < end - HOUR; now += HOUR) await look();
  now += HOUR;
  await assert.rejects(look(), { code: 'unauthenticated' });
});
