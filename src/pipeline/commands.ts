// The changes of indicators that a running service carries out on request. Arguments and answers are plain values, so
// that a command can run in the thread that owns the writing connection. Each command is named here and nowhere else.

import type { Clock } from '../domain/instant.ts';
import type { Stores } from '../store/stores.ts';
import { createDispute } from './dispute.ts';
import { createIngest, type IngestOptions } from './ingest.ts';
import { createAddNote } from './note.ts';
import type { ProcessAtOnceParts } from './process-at-once.ts';
import type { EncodeIndicator, RenderStix, SyncCollections } from './publish.ts';
import type { RenderLink } from './publish-links.ts';
import { createRetry } from './retry.ts';
import { createWithdraw } from './revoke.ts';
import { createStatuses } from './statuses.ts';
import { createVerify } from './verify.ts';

export interface CommandParts {
  readonly stores: Stores;
  readonly encodeIndicator: EncodeIndicator;
  readonly renderStix: RenderStix;
  readonly syncCollections: SyncCollections;
  readonly clock: Clock;
  /** As for ingest. */
  readonly observedBy: Clock;
  readonly options: IngestOptions;
  /** As for ingest. */
  readonly process?: ProcessAtOnceParts;
  /** As for ingest. */
  readonly renderLink?: RenderLink;
  /** Called after each durable batch that queued jobs, so that a worker in this process need not poll. */
  readonly onQueued?: () => void;
}

export type Commands = ReturnType<typeof createCommands>;

export function createCommands(parts: CommandParts) {
  return {
    ingest: createIngest(parts),
    verify: createVerify(parts),
    retryDeadLetters: createRetry(parts),
    dispute: createDispute(parts),
    addNote: createAddNote(parts),
    withdraw: createWithdraw(parts),
    ...createStatuses(parts.stores, parts.clock),
  };
}
