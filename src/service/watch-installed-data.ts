// What the main thread knows of the installed data: for `/readyz`, and for a warning when data is old.

import { type Clock, DAY, SECOND, toRfc3339 } from '../domain/instant.ts';
import { ageInDays, type InstalledData, isOld, readInstalled } from '../pipeline/data-sets/installed-data.ts';
import type { Log } from '../telemetry/log.ts';

const LOOK = 2 * SECOND;
/** How often the log repeats that data is old. */
const REPEAT = DAY;

export interface InstalledDataWatch {
  /** As of the last look. */
  readonly installed: () => readonly InstalledData[];
  stop(): void;
}

export async function watchInstalledData(
  dataDir: string,
  clock: Clock,
  log: Pick<Log, 'warn'>,
): Promise<InstalledDataWatch> {
  let installed = await readInstalled(dataDir);
  const warn = createAgeWarning(clock, log);
  warn(installed);
  const timer = setInterval(async () => {
    installed = await readInstalled(dataDir);
    warn(installed);
  }, LOOK);
  return { installed: () => installed, stop: () => clearInterval(timer) };
}

/** Warns of each old data set once, and again every day. */
export function createAgeWarning(
  clock: Clock,
  log: Pick<Log, 'warn'>,
): (installed: readonly InstalledData[]) => void {
  const warned = new Map<string, number>();
  return (installed) => {
    const now = clock();
    for (const data of installed) {
      const { kind, folder, name, builtAt } = data;
      if (!isOld(data, now) || now - (warned.get(folder) ?? -REPEAT) < REPEAT) continue;
      warned.set(folder, now);
      const fields = { kind, data: name, builtAt: toRfc3339(builtAt), ageDays: ageInDays(data, now) };
      const command = kind === 'model' ? 'model train' : `data install ${kind}`;
      log.warn(fields, `installed data is old; renew it with: tis ${command}`);
    }
  };
}
