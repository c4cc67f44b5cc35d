// What the threads of the service can be asked for.

import type { Instant } from '../domain/instant.ts';
import type { KeyCommands } from '../gateway/key-commands.ts';
import type { Commands } from '../pipeline/commands.ts';
import type { StatusCommands } from '../pipeline/statuses.ts';
import type { Usage } from '../store/usage.ts';

/** Carried out by the first pipeline thread, on its own writing connection. */
export type PipelineCalls = Commands & KeyCommands & StatusCommands;

/** Carried out by the metering thread, which owns the writing connection to the usage file. */
export interface MeteringCalls {
  /** Resolves once the use is durable. */
  record(uses: readonly Usage[]): Promise<void>;
  touch(credentials: readonly string[], at: Instant): Promise<void>;
}

export const PIPELINE_CALLS: Readonly<Record<keyof PipelineCalls, true>> = {
  ingest: true,
  verify: true,
  issueKey: true,
  rotateKey: true,
  revokeKey: true,
  revokeLeaked: true,
  keepStatus: true,
};

export const METERING_CALLS: Readonly<Record<keyof MeteringCalls, true>> = { record: true, touch: true };
