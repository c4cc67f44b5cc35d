// A folder that one run fills. It has to be empty, and a run that fails leaves it empty.

import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../../domain/errors.ts';
import { makeFolder } from '../files.ts';

export interface ClaimedFolder {
  /** Removes its content, and the folder itself if this run created it. */
  abandon(): Promise<void>;
}

/**
 * Creates the folder if it does not exist. The run writes into it directly, because a mount point cannot be renamed.
 * Rejects with ServiceError `failed_precondition` if it is not empty or cannot be created.
 */
export async function claimFolder(path: string): Promise<ClaimedFolder> {
  let made: string | undefined;
  let names: readonly string[];
  try {
    made = makeFolder(path);
    names = await readdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ServiceError('failed_precondition', `${path} cannot be used: ${code}`, {
      reason: 'NOT_A_FOLDER',
    });
  }
  if (names.length > 0) {
    throw new ServiceError('failed_precondition', `${path} is not empty`, { reason: 'NOT_EMPTY' });
  }
  return {
    abandon: async () => {
      if (made !== undefined) {
        await rm(path, { recursive: true, force: true });
        return;
      }
      for (const name of await readdir(path)) await rm(join(path, name), { force: true });
    },
  };
}

/** Waits until a file or folder is on the disk. The name of a new file is durable after a sync of its folder. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
