// Who reports a batch of events, and the answer to it.

import type { Caller } from '../../gateway/caller.ts';
import type { EventResult, Reporter } from '../../pipeline/reporter.ts';
import { IngestSensorEventsResponseSchema } from '../../protojson/contract.ts';
import { createEncoder } from '../../protojson/json-encoder.ts';

/**
 * Everything a credential reports is one independence group, whatever sources its events name. Rotation makes no second
 * one: nobody becomes more credible by it.
 */
export function toReporter(caller: Caller): Reporter {
  const id = caller.reportsAs ?? caller.id;
  return {
    account: caller.account,
    group: id,
    source: { id, name: caller.name, reliability: caller.reliability },
    ceiling: caller.ceiling,
  };
}

const encodeResponse = createEncoder<{
  readonly results: readonly EventResult[];
  readonly acceptedCount: number;
  readonly duplicateCount: number;
  readonly refusedCount: number;
}>(IngestSensorEventsResponseSchema);

/** The answer to a batch, with the results in the order of its events. */
export function encodeIngestResponse(results: readonly EventResult[]): string {
  const countOf = (status: EventResult['status']) =>
    results.filter((result) => result.status === status).length;
  return encodeResponse({
    results,
    acceptedCount: countOf('ACCEPTED'),
    duplicateCount: countOf('DUPLICATE'),
    refusedCount: countOf('REFUSED'),
  });
}
