// The export of use to a billing system: what the outbox holds is sent until the system has taken it.
//
// An event is sent at least once: after a crash, or an answer that got lost, it is sent again with the same id. Nothing
// is dropped while the system is away; new use is then added to events that have not been sent, so the outbox holds no
// more than one event for each credential and hour of the outage.

import { MINUTE, SECOND } from '../domain/instant.ts';
import type { OutboxState, UsageEvent, UsageStore } from '../store/usage.ts';
import { BATCH_MEDIA_TYPE, cloudEvent } from './cloud-event.ts';

const BATCH = 100;
/** How long use is gathered before it is sent. */
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

/** The sink could not be reached or refused a batch; what waits in the outbox stays there. */
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
  /** Resolves after so many milliseconds, or earlier when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly timeoutMs?: number;
}

/** Sends what there is and what comes, until the signal aborts. Never rejects. */
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

/** Sends the oldest events and settles them; resolves to how many there were. */
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
    // Use is told to the configured address and to no other.
    redirect: 'error',
    signal,
    headers: {
      'content-type': BATCH_MEDIA_TYPE,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: `[${events.map((event) => cloudEvent(event, source)).join()}]`,
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the usage sink answered with status ${response.status}`);
}

/** For the log only: a store that can not be read is noticed by the next attempt. */
async function stateOf({ usage }: ExportParts): Promise<OutboxState> {
  return usage.outbox().catch(() => ({ events: 0, searches: 0 }));
}
