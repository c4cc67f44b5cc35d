// What the client of a session tells of itself: its version and its HASSH. Cowrie logs them in records of their own. They
// are evidence of the next act in the session, so that they count once a session.

import { type Evidence, evidenceOf } from '../evidence.ts';
import { type JsonObject, textOf } from '../framing/json-records.ts';
import type { Acts } from './acts.ts';

interface Telling {
  client: Evidence;
}

/** @param event without `cowrie.` */
export function noteClient(session: Telling, event: string, record: JsonObject): void {
  const told =
    event === 'client.version'
      ? evidenceOf({ 'client.version': textOf(record.version) })
      : event === 'client.kex'
        ? evidenceOf({ 'client.hassh': textOf(record.hassh) })
        : {};
  if (Object.keys(told).length > 0) session.client = { ...session.client, ...told };
}

/** What no event has yet. The caller makes an event that has it. */
export function toldOf(session: Telling | undefined): Evidence {
  if (session === undefined) return {};
  const { client } = session;
  session.client = {};
  return client;
}

/** The end of a session is an act only if nothing came after the client told of itself. */
export function lastAct(session: Telling | undefined): Acts | undefined {
  const hasMore = session !== undefined && Object.keys(session.client).length > 0;
  return hasMore ? { evidence: { connection: 'established' }, shown: [] } : undefined;
}
