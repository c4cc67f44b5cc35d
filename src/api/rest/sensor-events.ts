// The operation that takes in sensor events.

import { createEvidenceJudge, type EvidenceRemark } from '../../domain/evidence/evidence-remarks.ts';
import type { SensorEvent } from '../../domain/indicator/sensor-event.ts';
import { requireScope } from '../../gateway/authorize.ts';
import type { VolumeLimits } from '../../gateway/volume-limits.ts';
import type { Commands } from '../../pipeline/commands.ts';
import type { EventResult } from '../../pipeline/reporter.ts';
import type { SensorEventService } from '../../protojson/contract.ts';
import { toSensorEvent } from '../../protojson/sensor-event.ts';
import { toReporter } from '../reporter.ts';
import type { Operations } from './transcoder.ts';

export interface SensorEventDeps {
  readonly commands: Pick<Commands, 'ingest'>;
  readonly spendEvents: VolumeLimits['spendEvents'];
}

/** Remarks in one answer. */
const MAX_REMARKS = 1_000;
const BODY_LIMIT = 8 * 1_048_576;

export function sensorEventOperations({
  commands,
  spendEvents,
}: SensorEventDeps): Operations<typeof SensorEventService> {
  return {
    ingestSensorEvents: {
      bodyLimit: BODY_LIMIT,
      isBatch: true,
      authorize: (caller) => requireScope(caller, 'events:write'),
      answer: async ({ events, requestId }, caller) => {
        await spendEvents(caller.id, events.length);
        const reporter = toReporter(caller);
        const batch = events.map((event) => toSensorEvent(event));
        const results = await commands.ingest(batch, reporter, requestId === '' ? undefined : requestId);
        const remarks = remarksOn(batch);
        return {
          results: results.map((result, index) => ({ ...result, notUnderstood: remarks[index] ?? [] })),
          acceptedCount: countOf(results, 'ACCEPTED'),
          duplicateCount: countOf(results, 'DUPLICATE'),
          refusedCount: countOf(results, 'REFUSED'),
        };
      },
    },
  };
}

/** The remarks on each event, in the order of the events. */
function remarksOn(events: readonly SensorEvent[]): (readonly EvidenceRemark[])[] {
  const judge = createEvidenceJudge();
  let left = MAX_REMARKS;
  return events.map((event) => {
    const remarks = left === 0 ? [] : judge(event).slice(0, left);
    left -= remarks.length;
    return remarks;
  });
}

function countOf(results: readonly EventResult[], status: EventResult['status']): number {
  return results.filter((result) => result.status === status).length;
}
