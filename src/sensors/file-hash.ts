// Hashes of captured files, as observables.

import type { IndicatorType } from '../domain/vocabulary.ts';
import type { Evidence } from './evidence-text.ts';
import type { Shown } from './sensor-record.ts';

const TYPES: ReadonlyMap<number, IndicatorType> = new Map([
  [32, 'FILE_HASH_MD5'],
  [40, 'FILE_HASH_SHA1'],
  [64, 'FILE_HASH_SHA256'],
]);

/** Of the file without content, which every failed transfer leaves behind. */
const EMPTY_FILE: ReadonlySet<string> = new Set([
  'd41d8cd98f00b204e9800998ecf8427e',
  'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
]);

/** The hashes among these texts, told apart by their length; those of the empty file say nothing and are left out. */
export function fileHashes(texts: readonly (string | undefined)[], evidence: Evidence): Shown[] {
  return texts.flatMap((text) => {
    const value = text?.toLowerCase() ?? '';
    const type = /^[0-9a-f]+$/.test(value) ? TYPES.get(value.length) : undefined;
    return type === undefined || EMPTY_FILE.has(value) ? [] : { type, value, evidence };
  });
}
