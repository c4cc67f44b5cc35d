// The part of a collection that the rules examine: objects and manifest, up to a limit.

import type { HttpClient } from './http-client.ts';
import { canonical, isText, type JsonObject, shown } from './json-value.ts';
import type { CollectionPaths } from './paths.ts';
import { isUtcTimestamp, sortable } from './timestamp.ts';
import { check } from './violation.ts';
import { type Walk, walk } from './walk.ts';

export interface ManifestRecord {
  readonly id: string;
  readonly date_added: string;
  readonly version: string;
}

export interface Manifest {
  /** The last version of each object, in the order of the manifest. */
  readonly records: readonly ManifestRecord[];
  readonly manifestWalk: Walk;
  /** Equal for equal content of the collection. */
  readonly fingerprint: string;
}

export interface Sample extends Manifest {
  readonly objects: readonly JsonObject[];
  readonly walk: Walk;
  /** Whether the sample is the whole collection. */
  readonly complete: boolean;
}

/** A page size that every server accepts. */
const PAGE = '100';

/** @throws Violation if objects or manifest cannot be read. */
export async function takeSample(http: HttpClient, paths: CollectionPaths, limit: number): Promise<Sample> {
  const objects = await walk(http, paths.objects, { limit: PAGE }, limit);
  const manifest = await readManifest(http, paths, limit);
  return {
    ...manifest,
    objects: objects.items,
    walk: objects,
    complete: objects.complete && manifest.manifestWalk.complete,
  };
}

/** @throws Violation if it cannot be read. */
export async function readManifest(
  http: HttpClient,
  paths: CollectionPaths,
  limit: number,
): Promise<Manifest> {
  const manifestWalk = await walk(http, paths.manifest, { limit: PAGE }, limit);
  const records = manifestWalk.items.map(recordOf);
  const fingerprint = canonical(records.map(({ id, version }) => `${id} ${version}`).sort());
  return { records, manifestWalk, fingerprint };
}

/** @throws Violation for a record without the members that the rules need. */
export function recordOf(item: JsonObject): ManifestRecord {
  const { id, date_added, version } = item;
  check(
    isText(id) && isUtcTimestamp(date_added) && isText(version),
    `a manifest record without id, date_added or version: ${shown(item)}`,
  );
  return { id, date_added, version };
}

/** The date_added of each object, in a sortable form. Undefined for an object without a record. */
export function datesOf(ids: readonly unknown[], sample: Sample): readonly (string | undefined)[] {
  const dates = new Map(sample.records.map(({ id, date_added }) => [id, sortable(date_added)]));
  return ids.map((id) => dates.get(String(id)));
}
