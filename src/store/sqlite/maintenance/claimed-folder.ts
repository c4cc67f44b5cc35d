// A folder that one run fills: it has to be empty, and is left empty when the run fails.

import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../../domain/errors.ts';

export interface ClaimedFolder {
  /** Removes what was put into it, and the folder itself if it was made for this run. */
  abandon(): Promise<void>;
}

/**
 * Makes the folder if it is not there. It is used in place, not renamed into place: it may be the root of a volume.
 * @throws ServiceError `failed_precondition` when something is in it, or it cannot be made.
 */
export async function claimFolder(path: string): Promise<ClaimedFolder> {
  let made: string | undefined;
  let names: readonly string[];
  try {
    made = await mkdir(path, { recursive: true, mode: 0o700 });
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

/** Puts a file or a folder on the disk. A new name is there when its folder is. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
