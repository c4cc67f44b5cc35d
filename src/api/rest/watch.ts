// The stream of indicators as they change: GET /v1/indicators:watch.

import type { FastifyInstance } from 'fastify';
import { invalidArgument } from '../../domain/errors.ts';
import { filterViolations, type IndicatorFilter, MATCH_ALL } from '../../domain/filter.ts';
import { matches } from '../../domain/indicator/matching.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import {
  eventIdAt,
  type GapReason,
  type IndicatorWatch,
  MOST_BEHIND,
  type WatchedChange,
  type WatchPlace,
} from '../../feed/watch.ts';
import type { Admit } from '../../gateway/admit.ts';
import { requireScope } from '../../gateway/authorize.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { IndicatorService } from '../../protojson/contract.ts';
import { toFilter } from '../../protojson/indicator-filter.ts';
import { fastifyPath } from '../../protojson/routes.ts';
import {
  encodeWatchedIndicator,
  encodeWatchNotice,
  type WatchNotice,
  watchRoute,
} from '../../protojson/watch-json.ts';
import { admitRequest, callerOf, endHook } from '../http/admission.ts';
import { type EventFlow, eventText, HEARTBEAT_SECONDS } from '../http/event-stream.ts';
import type { OpenStream } from '../http/event-streams.ts';
import { type RequestOf, requestDecoder } from './transcoder.ts';

export interface WatchDeps {
  readonly admit: Admit;
  readonly watch: IndicatorWatch;
  readonly openStream: OpenStream;
}

type WatchRequest = RequestOf<typeof IndicatorService, 'watchIndicators'>;

const mayWatch = (caller: Caller): void => requireScope(caller, 'indicators:read');

export function registerWatch(app: FastifyInstance, { admit, watch, openStream }: WatchDeps): void {
  const route = watchRoute();
  const decode = requestDecoder(route, { validate: (request) => void filterOf(request as WatchRequest) });
  app.route({
    method: route.method,
    url: fastifyPath(route.template),
    onRequest: (request, reply, done) => endHook(admitRequest(admit, request, reply), mayWatch, done),
    handler: async (request, reply) => {
      const asked = decode(request) as WatchRequest;
      const filter = filterOf(asked);
      const { ceiling } = callerOf(request);
      const header = request.headers['last-event-id'];
      const lastEventId = typeof header === 'string' && header !== '' ? header : asked.lastEventId;
      const start = await watch.start(ceiling, lastEventId);
      openStream(request, reply, createFlow(watch, filter, ceiling, start), mayWatch);
      return reply;
    },
  });
}

/** @throws ServiceError `invalid_argument` for a filter that contradicts itself. */
function filterOf({ filter: asked }: WatchRequest): IndicatorFilter | undefined {
  if (asked === undefined) return undefined;
  const filter = toFilter(asked);
  const violations = filterViolations(filter);
  if (violations.length > 0) throw invalidArgument(violations);
  return filter;
}

interface Start {
  readonly at: WatchPlace;
  readonly gap?: GapReason;
}

function createFlow(
  watch: IndicatorWatch,
  filter: IndicatorFilter | undefined,
  ceiling: TlpMarking,
  { at, gap }: Start,
): EventFlow {
  let place = at;
  /** Entries that were read since the stream was at the end of the log. */
  let behind = 0;
  const idAt = (where: WatchPlace) => eventIdAt(where, ceiling);
  const notice = (what: WatchNotice, where: WatchPlace) =>
    eventText(Object.keys(what)[0] ?? '', encodeWatchNotice(what), idAt(where));
  const textOf = async (change: WatchedChange) => {
    if (!(await isWanted(change, filter))) return '';
    const { name, data } = dataOf(change);
    return eventText(name, data, idAt(change.at));
  };
  let opening = notice({ ready: { heartbeatSeconds: HEARTBEAT_SECONDS } }, place);
  if (gap !== undefined) opening += notice({ gap: { reason: gap } }, place);

  return {
    next: async () => {
      if (opening !== '') {
        const text = opening;
        opening = '';
        return text;
      }
      if (behind >= MOST_BEHIND) {
        behind = 0;
        place = await watch.end(ceiling);
        return notice({ gap: { reason: 'BEHIND' } }, place);
      }
      const found = await watch.after(place, ceiling);
      if (found === undefined) {
        behind = 0;
        return undefined;
      }
      place = found.at;
      behind += found.entries;
      const texts = await Promise.all(found.changes.map(textOf));
      return texts.join('');
    },
    // With the id of the place, so that a client whose filter matches nothing for long does not come back to a gap.
    heartbeat: () => notice({ heartbeat: {} }, place),
    end: (reason) => eventText('end', encodeWatchNotice({ end: { reason } })),
  };
}

async function isWanted(change: WatchedChange, filter: IndicatorFilter = MATCH_ALL): Promise<boolean> {
  if (filter === MATCH_ALL || change.document === undefined) return true;
  const indicator = await change.indicator();
  return indicator !== undefined && matches(indicator, filter);
}

function dataOf({ document, indicatorId }: WatchedChange): { readonly name: string; readonly data: string } {
  return document === undefined
    ? { name: 'removed', data: encodeWatchNotice({ removed: { indicatorId } }) }
    : { name: 'indicator', data: encodeWatchedIndicator(document) };
}
