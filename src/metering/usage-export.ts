// The export of usage to a billing system: events wait in the outbox until the system has accepted them.
//
// An event is sent at least once: after a crash or a lost answer it is sent again with the same id. Nothing is dropped while
// the system is down. New usage is then added to unsent events, so the outbox grows by at most one event for each
// credential and hour of the outage.

import { MINUTE, SECOND, toRfc3339 } from '../domain/instant.ts';
import type { OutboxState, UsageEvent, UsageStore } from '../store/usage.ts';

const SEARCH_EVENT = 'indicators.search';
const LOOKUP_EVENT = 'indicators.lookup';

/** A batch is a JSON array of events (CloudEvents JSON format §4). */
const BATCH_MEDIA_TYPE = 'application/cloudevents-batch+json; charset=utf-8';

/** Events in one batch. */
const BATCH = 100;
/** Milliseconds until the next batch once the outbox is empty. */
const POLL = SECOND;
const FIRST_RETRY = SECOND;
const LONGEST_RETRY = 5 * MINUTE;
const TIMEOUT = 10 * SECOND;

export interface SinkOptions {
  /** Events are posted here. */
  readonly url: string;
  /** Sent as a Bearer token. */
  readonly token?: string;
  /** The `source` of the events: a URI reference that names this installation. */
  readonly source: string;
}

/** The sink could not be reached or refused a batch. The events stay in the outbox. */
export interface ExportFailure {
  readonly error: unknown;
  readonly outbox: OutboxState;
  /** Milliseconds until the next attempt. */
  readonly retryInMs: number;
}

export interface ExportParts {
  readonly usage: Pick<UsageStore, 'takeEvents' | 'settleEvents' | 'outbox'>;
  readonly sink: SinkOptions;
  readonly onFailure: (failure: ExportFailure) => void;
  /** Resolves after `ms` milliseconds, or earlier when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly timeoutMs?: number;
}

/** Sends waiting and new events until the signal aborts. Never rejects. */
export async function exportUsage(parts: ExportParts, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    let wait = 0;
    try {
      const sent = await sendBatch(parts, signal);
      failures = 0;
      if (sent < BATCH) wait = POLL;
    } catch (error) {
      if (signal.aborted) return;
      wait = Math.min(LONGEST_RETRY, FIRST_RETRY * 2 ** failures);
      failures += 1;
      parts.onFailure({ error, outbox: await stateOf(parts), retryInMs: wait });
    }
    if (wait > 0) await parts.pause(wait, signal);
  }
}

/** Sends the oldest events and settles them. Resolves to their number. */
async function sendBatch(
  { usage, sink, timeoutMs = TIMEOUT }: ExportParts,
  signal: AbortSignal,
): Promise<number> {
  const events = await usage.takeEvents(BATCH);
  if (events.length === 0) return 0;
  await post(sink, events, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
  await usage.settleEvents(events.map(({ id }) => id));
  return events.length;
}

async function post(
  { url, token, source }: SinkOptions,
  events: readonly UsageEvent[],
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    // Usage goes to the configured address only.
    redirect: 'error',
    signal,
    headers: {
      'content-type': BATCH_MEDIA_TYPE,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: `[${events.flatMap((event) => cloudEvents(event, source)).join()}]`,
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the usage sink answered with status ${response.status}`);
}

/**
 * Use as CloudEvents 1.0 in JSON: one event of searches, one of lookups. A receiver drops repeats by `source` and `id`
 * (CloudEvents §3.1.1), or by `id` alone, so each event has an id of its own.
 * @param source a URI reference that names this installation.
 */
function cloudEvents(event: UsageEvent, source: string): string[] {
  const { id, account, credential: keyId, at, searches, returned, lookups, lookupRequests } = event;
  const cloudEvent = (id: string, type: string, amounts: object) =>
    JSON.stringify({
      specversion: '1.0',
      type,
      id,
      source,
      subject: account,
      time: toRfc3339(at),
      datacontenttype: 'application/json',
      data: { keyId, ...amounts },
    });
  const events: string[] = [];
  if (searches > 0) events.push(cloudEvent(id, SEARCH_EVENT, { searches, returned }));
  if (lookupRequests > 0) {
    events.push(cloudEvent(`${id}-lookup`, LOOKUP_EVENT, { lookups, requests: lookupRequests }));
  }
  return events;
}

/** For the log only. If the store cannot be read, the next attempt fails anyway. */
async function stateOf({ usage }: ExportParts): Promise<OutboxState> {
  return usage.outbox().catch(() => ({ events: 0, searches: 0, lookups: 0 }));
}
