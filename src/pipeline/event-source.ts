// The source of an event, and the independence group in which it counts: what an event names, as far as its reporter may
// speak for it.

import type { EventSource, Observation, SensorEvent } from '../domain/indicator/sensor-event.ts';
import { ANY_SOURCE, namedSourceId, nameWithReporter } from '../domain/indicator/source-name.ts';
import type { Reporter } from './reporter.ts';

type Attribution = Pick<Observation, 'source' | 'group' | 'credential'>;

/**
 * A source that the event names belongs to its reporter. It counts for itself only if the reporter may speak for exactly
 * this source. Otherwise it is one more name of the reporter. An event cannot claim more reliability than its reporter
 * has.
 */
export function attribute({ source: named }: SensorEvent, reporter: Reporter): Attribution {
  const { source: own, group, title, sources } = reporter;
  if (named === undefined || named.id.trim() === '') return { source: own, group };
  const claimed = named.reliability === 0 ? own.reliability : named.reliability;
  const reliability = Math.min(claimed, own.reliability);
  if (named.id === own.id) return { source: { ...own, reliability }, group };

  const id = namedSourceId(own.id, named.id);
  const source = (name: string, how: 'reported' | 'claimed'): EventSource => ({
    id,
    name: nameWithReporter(name, how, title),
    reliability,
  });
  if (named.id !== ANY_SOURCE && sources.includes(named.id)) {
    // The right names the source. Another name could be that of a source for which the reporter may not speak.
    return { source: source(named.id, 'reported'), group: vouchedGroup(named.id), credential: group };
  }
  const how = sources.includes(ANY_SOURCE) ? 'reported' : 'claimed';
  return { source: source(named.name.trim() === '' ? named.id : named.name, how), group };
}

/** The group of a source for which the operator lets somebody speak. Two reporters that relay it are not independent. */
export function vouchedGroup(sourceId: string): string {
  return `source:${sourceId}`;
}
