// A quick inspection of the files: SQLite reads every page and compares their structure. It does not compare indices with
// their tables, as `tis check` does.

import { type Damage, isStoreDamaged } from '../../damage.ts';
import { Connection } from '../connection.ts';
import { type DataFiles, fileHasContent } from '../files.ts';
import { OpenFile } from '../open-file.ts';
import { describeDamage } from '../store-errors.ts';

/** The first damage. A file that cannot be read at the moment is not inspected. */
export function inspect(files: DataFiles): Damage | undefined {
  for (const path of Object.values(files)) {
    const damage = fileHasContent(path) ? inspectFile(path) : undefined;
    if (damage !== undefined) return damage;
  }
  return undefined;
}

function inspectFile(path: string): Damage | undefined {
  const file = new OpenFile(path);
  let connection: Connection | undefined;
  try {
    connection = new Connection(file, { readOnly: true });
    const found = connection.row('pragma quick_check(1)')?.[0];
    if (found !== 'ok') file.condemn(describeDamage(path, 'CORRUPT', String(found).replaceAll('\n', ' ')));
  } catch (error) {
    if (!isStoreDamaged(error)) throw error;
  } finally {
    connection?.close();
  }
  return file.damage;
}
