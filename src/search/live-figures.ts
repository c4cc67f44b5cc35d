// What happens now, as one viewer may know it: events by minute, sensors, origins, and what waits.

import { MATCH_ALL } from '../domain/filter.ts';
import { type Clock, HOUR, type Instant, MINUTE, SECOND } from '../domain/instant.ts';
import type { IndicatorState, TlpMarking } from '../domain/vocabulary.ts';
import type { MinuteCount, SensorState } from '../store/activity.ts';
import type { JobCounts } from '../store/jobs.ts';
import type { Stores } from '../store/stores.ts';
import type { Aggregate, AggregateIndicators } from './aggregate.ts';
import { COUNT_BOUND } from './search.ts';

export interface Viewer {
  readonly ceiling: TlpMarking;
  /** Whose sensors are listed; undefined for all accounts. */
  readonly account: string | undefined;
  /** Whether the queue of all readers together may be shown. */
  readonly seesQueue: boolean;
}

/** Undefined for more than COUNT_BOUND. */
export type Backlog = Readonly<Record<'RAW' | 'SCORED' | 'ENRICHED', number | undefined>>;

export interface LiveFigures {
  readonly at: Instant;
  /** Of the last hour, oldest first. A minute without events is missing. */
  readonly minutes: readonly MinuteCount[];
  /** Those that were heard of last come first. */
  readonly sensors: readonly SensorState[];
  /** Whether there are more sensors than are listed. */
  readonly moreSensors: boolean;
  /** Indicators that were seen within the last hour, by country code. */
  readonly origins: readonly { readonly country: string; readonly indicators: number }[];
  /** Whether more indicators were seen than were counted. */
  readonly originsAtLeast: boolean;
  /** Indicators that wait: to be scored, to be enriched, for a person. */
  readonly backlog: Backlog;
  /** Jobs of all readers together. Its age depends on what others may not see, so it is shown only to who sees all. */
  readonly queue: JobCounts | undefined;
}

export type ReadLiveFigures = (viewer: Viewer) => Promise<LiveFigures>;

const MOST_SENSORS = 500;
/** Viewers alike share figures for this time. */
const FRESH = SECOND;
/** Origins are counted from documents, which costs more. */
const ORIGINS_FRESH = 15 * SECOND;
/** Kinds of viewers at once: ceilings and accounts. */
const MOST_SHARED = 100;

export interface LiveFigureParts {
  readonly stores: Pick<Stores, 'activity' | 'indicators' | 'jobs'>;
  readonly aggregate: AggregateIndicators;
  readonly clock: Clock;
}

export function createLiveFigures({ stores, aggregate, clock }: LiveFigureParts): ReadLiveFigures {
  const originsOf = shared(ORIGINS_FRESH, (ceiling: TlpMarking) =>
    aggregate({
      filter: { ...MATCH_ALL, lastSeenWindow: { start: clock() - HOUR } },
      query: '',
      facets: ['COUNTRY'],
      top: 100,
      ceiling,
    }),
  );
  const waiting = (state: IndicatorState, ceiling: TlpMarking) =>
    stores.indicators.count({ filter: { ...MATCH_ALL, states: [state] }, terms: [], ceiling }, COUNT_BOUND);

  return shared(FRESH, async ({ ceiling, account, seesQueue }: Viewer): Promise<LiveFigures> => {
    const at = clock();
    const [minutes, sensors, origins, raw, scored, enriched, queue] = await Promise.all([
      stores.activity.minutes(ceiling, at - HOUR - MINUTE),
      stores.activity.sensors(ceiling, account, MOST_SENSORS + 1, at),
      originsOf(ceiling),
      waiting('RAW', ceiling),
      waiting('SCORED', ceiling),
      waiting('ENRICHED', ceiling),
      seesQueue ? stores.jobs.counts() : undefined,
    ]);
    return {
      at,
      minutes,
      sensors: sensors.slice(0, MOST_SENSORS),
      moreSensors: sensors.length > MOST_SENSORS,
      origins: countriesOf(origins),
      originsAtLeast: origins.atLeast,
      backlog: { RAW: raw, SCORED: scored, ENRICHED: enriched },
      queue,
    };
  });
}

function countriesOf({ facets: [countries] }: Aggregate): LiveFigures['origins'] {
  return (countries?.values ?? []).map(({ value, count }) => ({ country: value, indicators: count }));
}

/** One read for all who ask the same within a time. A failed one is not kept. */
function shared<Question, Answer>(
  freshMs: number,
  read: (question: Question) => Promise<Answer>,
): (question: Question) => Promise<Answer> {
  const known = new Map<string, { readonly answer: Promise<Answer>; readonly until: number }>();
  return (question) => {
    const key = JSON.stringify(question);
    const kept = known.get(key);
    const now = performance.now();
    if (kept !== undefined && now < kept.until) return kept.answer;
    if (known.size >= MOST_SHARED) known.clear();
    const answer = read(question);
    known.set(key, { answer, until: now + freshMs });
    answer.catch(() => known.delete(key));
    return answer;
  };
}
