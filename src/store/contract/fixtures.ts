// Records, feed entries and criteria for tests of stores. They are complete and deterministic; a test overrides members.

import assert from 'node:assert/strict';
import { readersOf } from '../../domain/audience.ts';
import { type KeptEvidence, NO_EVIDENCE } from '../../domain/evidence/kept-evidence.ts';
import { counted, EMPTY_TALLY } from '../../domain/evidence/tally.ts';
import { type IndicatorFilter, MATCH_ALL } from '../../domain/filter.ts';
import { indicatorId } from '../../domain/indicator/identity.ts';
import type { Enrichment, Indicator, IndicatorRecord } from '../../domain/indicator/indicator.ts';
import { toRfc3339 } from '../../domain/instant.ts';
import { parseTextQuery } from '../../domain/text-query.ts';
import type { IndicatorType, TlpMarking } from '../../domain/vocabulary.ts';
import type { FeedAppend } from '../feed.ts';
import type { IndicatorWrite, SearchCriteria, ViewKey } from '../indicators.ts';
import type { Stores, WriteTransaction } from '../stores.ts';

/** The instant at which most tests take place. */
export const NOW = Date.UTC(2026, 2, 14, 9, 26, 53, 589);

const SECRET = Buffer.alloc(32, 'fixture');

export function idOf(value: string, type: IndicatorType = 'DOMAIN'): string {
  return indicatorId(SECRET, type, value);
}

/** The key of a view with the marking of `anIndicator`. */
export function keyOf(indicatorId: string): ViewKey {
  return { indicatorId, marking: 'GREEN' };
}

/** Derives the id from type and value, unless `changes` has one. */
export function anIndicator(changes: Partial<Indicator> = {}): Indicator {
  const type = changes.type ?? 'DOMAIN';
  const value = changes.value ?? 'c2.example';
  return {
    id: idOf(value, type),
    type,
    value,
    categories: [],
    severity: 'LOW',
    confidenceScore: 50,
    tlp: 'GREEN',
    state: 'RAW',
    firstSeen: NOW,
    lastSeen: NOW,
    sources: [],
    sightings: [],
    tags: [],
    labels: [],
    createdAt: NOW,
    updatedAt: NOW,
    protocol: 'UNSPECIFIED',
    sensorType: 'UNSPECIFIED',
    ...changes,
  };
}

export function aRecord(changes: Partial<Indicator> = {}): IndicatorRecord {
  const indicator = anIndicator(changes);
  return {
    indicator,
    evidence: {
      sources: [],
      sensorDays: [],
      behaviours: [],
      lead: {
        intent: 'none',
        severity: indicator.severity,
        observedAt: indicator.lastSeen,
        sourceId: 'sensor-1',
        protocol: indicator.protocol,
        sensorType: indicator.sensorType,
      },
    },
    history: [{ from: 'UNSPECIFIED', to: 'RAW', at: indicator.createdAt, actor: 'pipeline' }],
  };
}

/** Takes the place of the ProtoJSON document, which a store returns unchanged. */
export function documentOf(indicator: Indicator): string {
  return JSON.stringify(indicator, (_name, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

export function aWrite(changes: Partial<Indicator> = {}): IndicatorWrite {
  const record = aRecord(changes);
  const { indicator } = record;
  return { record, audience: readersOf(indicator.tlp), document: documentOf(indicator) };
}

/** Evidence that a command was typed, once. */
export function someEvidence(value: string): KeptEvidence {
  const occurrence = { owner: 'key-1', at: NOW, count: 1n };
  return { ...NO_EVIDENCE, seen: counted(EMPTY_TALLY, [{ key: 'command.input', value }], occurrence, 8_000) };
}

/** Saves indicators in one transaction. The last one is the newest. */
export function save(stores: Stores, indicators: readonly Partial<Indicator>[]): Promise<void> {
  return stores.write((tx) => tx.save(indicators.map(aWrite)));
}

export function aSummary(aiSummary: string): Enrichment {
  return { malwareFamilies: [], attackTechniques: [], aiSummary, enrichedAt: NOW };
}

export function criteriaOf(
  filter: Partial<IndicatorFilter> = {},
  query = '',
  ceiling: TlpMarking = 'RED',
): SearchCriteria {
  return { filter: { ...MATCH_ALL, ...filter }, terms: parseTextQuery(query), ceiling };
}

/** The documents of joined blocks. */
export function documentsIn(blocks: readonly Uint8Array[]): string[] {
  return blocks.flatMap((block) =>
    (JSON.parse(`[${Buffer.from(block)}]`) as unknown[]).map((document) => JSON.stringify(document)),
  );
}

/** The value of the indicator in a document of documentOf. */
export function valueIn(document: string): string {
  return JSON.parse(document).value;
}

/** A version of the object `indicator--<key>`, modified `age` milliseconds after NOW. */
export function aVersion(key: string, age: number, changes: Partial<FeedAppend> = {}): FeedAppend {
  const modified = NOW + age;
  const id = `indicator--${idOf(key)}`;
  const version = toRfc3339(modified);
  return {
    id,
    type: 'indicator',
    version,
    modified,
    audience: readersOf('GREEN'),
    object: JSON.stringify({ id, modified: version, name: key }),
    ...changes,
  };
}

/** Writes to every part of a store, under one key. */
export async function writeEverything(tx: WriteTransaction, key: string): Promise<void> {
  await tx.rememberEvents([idOf(key).replaceAll('-', '')], NOW);
  await tx.save([aWrite({ value: `${key}.everything`, tags: ['everything', `tag ${key}`] })]);
  await tx.enqueue([keyOf(idOf(`${key}.everything`))], NOW);
  await tx.append([aVersion(key, 0)], NOW);
  await tx.audit({ at: NOW, actor: 'test', action: 'test', target: key, detail: {} });
}

/** The keys of all calls of writeEverything, sorted. Fails if two parts of the store disagree. */
export async function everything(stores: Stores): Promise<string[]> {
  const keys = (await stores.audit(1_000)).map(({ target }) => target).toSorted();
  const found = await stores.indicators.search(criteriaOf({ tags: ['everything'] }), 1_000);
  const page = await stores.feed.objects({ until: Number.MAX_SAFE_INTEGER, limit: 1_000, ceiling: 'RED' });
  assert.deepEqual(
    found.rows.map(({ document }) => valueIn(document)).toSorted(),
    keys.map((key) => `${key}.everything`).toSorted(),
  );
  assert.deepEqual(page.entries.map(({ object }) => JSON.parse(object).name).toSorted(), keys);
  assert.equal((await stores.jobs.counts()).pending, keys.length);
  for (const key of keys) {
    const tagged = await stores.indicators.count(criteriaOf({ tags: [`tag ${key}`] }), 10);
    assert.equal(tagged, 1, key);
  }
  return keys;
}
