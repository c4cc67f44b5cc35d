// A quick inspection of the files: SQLite reads every page and compares their structure, and texts with
// their checksums. It does not compare indices with their tables, as `tis check` does.

import { type Damage, isStoreDamaged } from '../../damage.ts';
import { wrongChecksums } from '../checksums.ts';
import { Connection } from '../connection.ts';
import { type DataFiles, fileHasContent } from '../files.ts';
import { OpenFile } from '../open-file.ts';

/** The first damage, of the structure or of a text. A file that cannot be read at the moment is not inspected. */
export function inspect(files: DataFiles): Damage | undefined {
  for (const path of Object.values(files)) {
    const damage = fileHasContent(path) ? inspectFile(path, files) : undefined;
    if (damage !== undefined) return damage;
  }
  return undefined;
}

function inspectFile(path: string, { store }: DataFiles): Damage | undefined {
  const file = new OpenFile(path);
  let connection: Connection | undefined;
  try {
    connection = new Connection(file, { readOnly: true });
    const found = connection.row('pragma quick_check(1)')?.[0];
    if (found !== 'ok') throw file.corrupt(String(found).replaceAll('\n', ' '));
    if (path !== store) return undefined;
    const [row] = wrongChecksums(connection);
    if (row !== undefined) throw file.corrupt(`${row} differs from its checksum`);
  } catch (error) {
    // The walk through the texts gives the errors of SQLite.
    const failure = file.failure(error);
    if (!isStoreDamaged(failure)) throw failure;
  } finally {
    connection?.close();
  }
  return file.damage;
}
