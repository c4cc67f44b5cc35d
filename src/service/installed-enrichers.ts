// Enrichers whose data is installed by `tis data install` and replaced while the service runs.

import { ServiceError } from '../domain/errors.ts';
import { type Clock, type Instant, SECOND } from '../domain/instant.ts';
import {
  generationOf,
  type Installation,
  type InstalledData,
  readInstallations,
} from '../pipeline/data-sets/installed-data.ts';
import type { DataKind } from '../pipeline/data-sets/kinds.ts';
import type { Enricher } from '../pipeline/enricher.ts';

/** How often a thread looks for new data. */
const LOOK = 2 * SECOND;
/** The other threads have new data after this time. An indicator that is enriched anew gets the new data from all. */
const SETTLE = 6 * SECOND;

/** Makes an enricher of the data of some kinds. Data that is not installed is missing. Undefined: it has nothing to say. */
export type LoadInstalled = (data: readonly InstalledData[]) => Promise<Enricher | undefined>;

/** The place of an enricher in the order, with data that may change. */
export interface EnricherSlot {
  readonly enricher: Enricher;
  readonly kinds: readonly DataKind[];
  fill(data: readonly InstalledData[]): Promise<void>;
}

export function createSlot(name: string, kinds: readonly DataKind[], load: LoadInstalled): EnricherSlot {
  let current: Enricher | undefined;
  return {
    enricher: {
      name,
      appliesTo: (signal) => current?.appliesTo(signal) ?? false,
      enrich: (signal) => current?.enrich(signal) ?? {},
    },
    kinds,
    fill: async (data) => {
      current = await load(data);
    },
  };
}

export interface InstalledEnrichers {
  /** Loads what has changed. Data that cannot be loaded is reported, and the earlier data stays. */
  refresh(): Promise<void>;
  /** The data with which all threads enrich, as a number that grows with every change. 0 if nothing was ever installed. */
  generation(): Instant;
}

/** @param warn receives a message about data that cannot be loaded. */
export function createInstalledEnrichers(
  dataDir: string,
  slots: readonly EnricherSlot[],
  clock: Clock,
  warn: (message: string) => void,
): InstalledEnrichers {
  const filled = new Map<EnricherSlot, string>();
  let generation = 0;
  let settled = 0;
  let changedAt = 0;
  let isFirst = true;

  async function fill(slot: EnricherSlot, installations: readonly Installation[]): Promise<void> {
    const own = slot.kinds.flatMap((kind) => installations.filter((one) => one.kind === kind));
    const state = own.map(({ kind, changedAt }) => `${kind} ${changedAt}`).join();
    if (filled.get(slot) === state) return;
    try {
      await slot.fill(own.flatMap(({ data }) => data ?? []));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      warn(`installed data is not used: ${error.message}`);
      if (!filled.has(slot)) await slot.fill([]);
    }
    filled.set(slot, state);
  }

  return {
    refresh: async () => {
      const used = new Set(slots.flatMap(({ kinds }) => kinds));
      const installations = (await readInstallations(dataDir)).filter(({ kind }) => used.has(kind));
      for (const slot of slots) await fill(slot, installations);
      const found = generationOf(installations);
      if (isFirst) settled = found;
      else if (found !== generation) changedAt = clock();
      isFirst = false;
      generation = found;
    },
    generation: () => {
      if (clock() - changedAt >= SETTLE) settled = generation;
      return settled;
    },
  };
}

/** @returns a function that ends this. It resolves when nothing is being loaded. */
export function keepInstalledData(
  { refresh }: Pick<InstalledEnrichers, 'refresh'>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let working: Promise<void> | undefined;
  const timer = setInterval(() => {
    working ??= refresh()
      .catch(onError)
      .finally(() => {
        working = undefined;
      });
  }, LOOK);
  return async () => {
    clearInterval(timer);
    await working;
  };
}
