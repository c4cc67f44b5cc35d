// The bytes that a process has written, from /proc/PID/io (Linux).

import { numberIn, readProc } from './proc.ts';

export interface WrittenBytes {
  /** Handed to the system, whether or not they reached the disk. */
  readonly handedOver: number;
  /** Caused to be written to the disk. 0 on a file system in memory. */
  readonly toDisk: number;
}

export function readWrittenBytes(pid: number): WrittenBytes {
  const text = readProc(`${pid}/io`);
  return { handedOver: numberIn(text, 'wchar'), toDisk: numberIn(text, 'write_bytes') };
}
