// Whether an open file of the data folder is still sound: the same file, with the same content.

import { isStoreDamaged, type Soundness } from '../damage.ts';
import { Connection } from './connection.ts';
import type { Schema } from './maintenance/migrate.ts';
import { OpenFile } from './open-file.ts';
import { describeDamage } from './store-errors.ts';

/** How often the content is compared: a file can be overwritten without a new inode. Milliseconds. */
const CONTENT_EVERY = 60_000;

/** @param mark of the installation; undefined for a usage file without a store. */
export function watchSoundness(file: OpenFile, schema: Schema, mark: Uint8Array | undefined): Soundness {
  let comparedAt = performance.now();
  // From now on the file has to be this one.
  file.look();
  return {
    findDamage: () => {
      const now = performance.now();
      if (file.look() === undefined && now - comparedAt >= CONTENT_EVERY) {
        comparedAt = now;
        if (!hasMark(file.path, schema, mark)) {
          file.condemn(
            describeDamage(file.path, 'REPLACED', 'its content was overwritten while it was open'),
          );
        }
      }
      return file.damage;
    },
    condemn: (damage) => file.condemn(damage),
  };
}

/** Reads through a connection of its own, because the others have the first page in memory. */
function hasMark(path: string, schema: Schema, mark: Uint8Array | undefined): boolean {
  let connection: Connection | undefined;
  try {
    connection = new Connection(new OpenFile(path), { readOnly: true, schema });
    const [found] = connection.row('select mark from installation') ?? [];
    return mark === undefined || (found !== undefined && Buffer.compare(found as Uint8Array, mark) === 0);
  } catch (error) {
    return !isStoreDamaged(error);
  } finally {
    connection?.close();
  }
}
