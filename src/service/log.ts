// The log of a process or a thread.

import type { Config } from '../config.ts';
import { createJsonLog, type Log } from '../telemetry/log.ts';
import { systemClock } from './stores.ts';

/**
 * Writes to standard error, so that the log stays apart from what a command prints.
 * @param bindings members of every line.
 */
export function createLog(config: Config, bindings: Readonly<Record<string, unknown>> = {}): Log {
  return createJsonLog({
    level: config.logLevel,
    clock: systemClock,
    bindings: { pid: process.pid, ...bindings },
  });
}
