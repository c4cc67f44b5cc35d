// A changed never-block list takes effect on stored indicators: those whose standing changes go through the pipeline again.

import { CEILINGS } from '../domain/audience.ts';
import { MATCH_ALL } from '../domain/filter.ts';
import { NEVER_BLOCK } from '../domain/indicator/computed-labels.ts';
import type { Clock } from '../domain/instant.ts';
import type { NeverBlock } from '../domain/never-block/never-block.ts';
import type { IndicatorType } from '../domain/vocabulary.ts';
import type { ViewKey } from '../store/indicators.ts';
import type { Stores } from '../store/stores.ts';

/** Jobs in one transaction. */
const BATCH = 500;

/**
 * Queues every view that the list protects and that is not marked so, and every view that is marked and not protected any
 * more. It reads the values of all indicators, and with an empty list only what is marked. Resolves to the number of views.
 */
export async function reviewNeverBlock(
  stores: Pick<Stores, 'indicators' | 'write'>,
  list: NeverBlock,
  clock: Clock,
  stopping?: AbortSignal,
): Promise<number> {
  const marked = await markedViews(stores);
  let batch: ViewKey[] = [];
  let queued = 0;
  const queue = async () => {
    const views = batch;
    batch = [];
    queued += views.length;
    await stores.write((tx) => tx.enqueue(views, clock()));
  };
  const add = async (key: ViewKey) => {
    if (batch.push(key) === BATCH) await queue();
  };
  if (list.isEmpty) {
    for (const key of marked.values()) await add(key);
  } else {
    for await (const { value, ...key } of stores.indicators.values()) {
      if (stopping?.aborted === true) return queued;
      const isProtected = list.match({ type: typeOf(value), value }) !== undefined;
      if (isProtected !== marked.has(nameOf(key))) await add(key);
    }
  }
  if (batch.length > 0) await queue();
  return queued;
}

async function markedViews({ indicators }: Pick<Stores, 'indicators'>): Promise<Map<string, ViewKey>> {
  const filter = { ...MATCH_ALL, labels: [NEVER_BLOCK], includeWithdrawn: true };
  const found = new Map<string, ViewKey>();
  for (const ceiling of CEILINGS) {
    for await (const { indicator } of indicators.each({ filter, terms: [], ceiling })) {
      const key = { indicatorId: indicator.id, marking: indicator.tlp };
      found.set(nameOf(key), key);
    }
  }
  return found;
}

function nameOf({ indicatorId, marking }: ViewKey): string {
  return `${indicatorId}/${marking}`;
}

/** The type by the form of a stored value, as far as the list distinguishes them. */
function typeOf(value: string): IndicatorType {
  if (value.includes('://')) return 'URL';
  if (value.includes('@')) return 'EMAIL';
  if (/^[0-9a-f:.]+\/[0-9]+$/.test(value)) return 'CIDR';
  if (value.includes(':')) return 'IPV6';
  return /^[0-9.]+$/.test(value) ? 'IPV4' : 'DOMAIN';
}
