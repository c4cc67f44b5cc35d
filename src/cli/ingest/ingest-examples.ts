// Ingest of the example logs. Their times are moved to now, because old observations would be stale in a demo.

import { createReadStream } from 'node:fs';
import type { SensorEvent } from '../../domain/indicator/sensor-event.ts';
import { ANY_SOURCE } from '../../domain/indicator/source-name.ts';
import type { Instant } from '../../domain/instant.ts';
import type { Commands } from '../../pipeline/commands.ts';
import type { Reporter } from '../../pipeline/reporter.ts';
import { detectFormat } from '../../sensors/detect.ts';
import { readRecords } from '../../sensors/reader.ts';

const REPORTER: Reporter = {
  account: 'default',
  id: 'source:examples',
  group: 'source:examples',
  source: { id: 'examples', name: 'Example logs', reliability: 0.9 },
  title: 'the example logs',
  sources: [ANY_SOURCE],
  ceiling: 'RED',
  isOperator: true,
};

/** @returns how many events were accepted and refused. */
export async function ingestExamples(
  files: readonly string[],
  commands: Pick<Commands, 'ingest'>,
  now: Instant,
): Promise<{ readonly accepted: number; readonly refused: number }> {
  let accepted = 0;
  let refused = 0;
  for (const file of files) {
    const results = await commands.ingest(shiftEvents(await eventsIn(file), now), REPORTER);
    accepted += results.filter(({ status }) => status === 'ACCEPTED').length;
    refused += results.filter(({ status }) => status === 'REFUSED').length;
  }
  return { accepted, refused };
}

async function eventsIn(file: string): Promise<SensorEvent[]> {
  const { format, bytes } = await detectFormat(createReadStream(file));
  if (format === undefined) throw new Error(`${file} is in no known format`);
  const events: SensorEvent[] = [];
  for await (const results of readRecords(bytes, format, {})) {
    for (const result of results) if (result.kind === 'events') events.push(...result.events);
  }
  return events;
}

/** The same events with all their times moved by one offset, so that the newest was observed at `newestAt`. */
export function shiftEvents(events: readonly SensorEvent[], newestAt: Instant): SensorEvent[] {
  const newest = events.reduce(
    (latest, event) => Math.max(latest, event.observedAt),
    Number.NEGATIVE_INFINITY,
  );
  const offset = newestAt - newest;
  return events.map((event) => ({ ...event, observedAt: event.observedAt + offset }));
}
