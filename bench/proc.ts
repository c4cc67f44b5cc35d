// Files below /proc. They are missing on other systems than Linux, and when a process or thread has ended.

import { readFileSync } from 'node:fs';

/** The content of a file, or an empty text if it is missing. */
export function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}

/** The number behind a name and a colon at the begin of a line; 0 if there is none. */
export function numberIn(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
}
