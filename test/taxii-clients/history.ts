// Compares what clients received with the log of the feed, and counts lost and repeated versions.

/** One version of an object, as it was read. */
export interface Version {
  readonly id: string;
  /** `modified`, or `created` of an object that has no versions. */
  readonly version: string;
  /** A hash of the content. It is the same for every copy of a version. */
  readonly digest: string;
  /** The id of the indicator that the object is, or that it is about. */
  readonly about?: string;
}

export interface LogEntry extends Version {
  readonly dateAdded: string;
}

export interface Reading {
  readonly client: string;
  /** Whether the client follows the standard, and so must receive every version exactly once. */
  readonly isCorrect: boolean;
  readonly versions: readonly Version[];
  /** Whether a version may be missing in the log because it was hidden after it was read. */
  readonly wasHidden?: (version: Version) => boolean;
}

export interface Verdict {
  readonly client: string;
  readonly read: number;
  /** Versions of the log that a correct client does not have; objects whose last version a careless one does not have. */
  readonly lost: number;
  /** The number of repeated versions. */
  readonly repeated: number;
  /** Empty when the client received what it should. */
  readonly faults: readonly string[];
}

/**
 * Faults of the log itself.
 * @param reported ids of the objects that were acknowledged to the writers.
 */
export function logFaults(log: readonly LogEntry[], reported: Iterable<string>): readonly string[] {
  const faults: string[] = [];
  const known = new Set<string>();
  for (const [index, entry] of log.entries()) {
    const before = log[index - 1];
    if (before !== undefined && before.dateAdded >= entry.dateAdded)
      faults.push(`${keyOf(entry)} was added at ${entry.dateAdded}, not after ${before.dateAdded}`);
    if (entry.dateAdded.slice(0, 23) < entry.version.slice(0, 23))
      faults.push(`${keyOf(entry)} was added at ${entry.dateAdded}, before it was made`);
    if (known.has(keyOf(entry))) faults.push(`${keyOf(entry)} is in the log twice`);
    known.add(keyOf(entry));
  }
  const ids = new Set(log.map(({ id }) => id));
  for (const id of reported) if (!ids.has(id)) faults.push(`${id} was acknowledged and is not in the log`);
  return faults;
}

/** @param log all versions that were added while the client read, in their order. */
export function judge(log: readonly LogEntry[], reading: Reading): Verdict {
  const { client, isCorrect, versions, wasHidden = () => false } = reading;
  const inLog = new Map(log.map((entry) => [keyOf(entry), entry.digest]));
  const read = new Set<string>();
  const faults: string[] = [];
  let repeated = 0;
  for (const version of versions) {
    const key = keyOf(version);
    const digest = inLog.get(key);
    if (digest !== undefined && digest !== version.digest)
      faults.push(`${key} was read with another content`);
    // A careless client may receive versions from before the log again.
    if (digest === undefined && isCorrect && !wasHidden(version))
      faults.push(`${key} was read and is not in the log`);
    if (read.has(key)) {
      repeated += 1;
      if (isCorrect) faults.push(`${key} was read twice`);
    }
    read.add(key);
  }
  const due = isCorrect ? log : lastVersions(log);
  const missing = due.filter((entry) => !read.has(keyOf(entry)));
  faults.push(...missing.map((entry) => `${keyOf(entry)}, added at ${entry.dateAdded}, was not read`));
  if (isCorrect && faults.length === 0) {
    const inOrder = versions.filter((version) => inLog.has(keyOf(version)));
    const wrong = inOrder.find((version, index) => keyOf(version) !== keyOf(log[index] ?? version));
    if (wrong !== undefined) faults.push(`${keyOf(wrong)} was read out of order`);
  }
  return { client, read: versions.length, lost: missing.length, repeated, faults };
}

function lastVersions(log: readonly LogEntry[]): readonly LogEntry[] {
  return [...new Map(log.map((entry) => [entry.id, entry])).values()];
}

function keyOf({ id, version }: Version): string {
  return `${id} of ${version}`;
}
