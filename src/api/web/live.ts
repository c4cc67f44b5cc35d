// Live figures: `GET /app/data/live`, and the same as a stream.

import type { FastifyInstance } from 'fastify';
import { toRfc3339 } from '../../domain/instant.ts';
import type { Admit } from '../../gateway/admit.ts';
import { hasScope, isPerson, requireScope } from '../../gateway/authorize.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { LiveFigures, ReadLiveFigures, Viewer } from '../../search/live-figures.ts';
import { admitRequest, callerOf, endHook } from '../http/admission.ts';
import { type EventFlow, eventText } from '../http/event-stream.ts';
import type { OpenStream } from '../http/event-streams.ts';
import { type DataRoute, requireKnown } from './data-routes.ts';

export interface LiveDeps {
  readonly admit: Admit;
  readonly figures: ReadLiveFigures;
  readonly openStream: OpenStream;
}

/** Milliseconds between two events of the stream, if something has changed. */
const EVERY_MS = 2_000;

export function liveFigures({ figures }: Pick<LiveDeps, 'figures'>): DataRoute {
  return {
    method: 'GET',
    path: '/live',
    authorize: mayLook,
    answer: async (input, caller) => {
      requireKnown(input, []);
      return toJson(await figures(viewerOf(caller)));
    },
  };
}

/** `GET /app/data/live:watch`: events `figures`, the first at once. They have no ids, because each replaces the last one. */
export function registerLiveStream(app: FastifyInstance, { admit, figures, openStream }: LiveDeps): void {
  app.route({
    method: 'GET',
    url: '/app/data/live::watch',
    onRequest: (request, reply, done) => endHook(admitRequest(admit, request, reply), mayLook, done),
    handler: async (request, reply) => {
      openStream(request, reply, createFlow(figures, viewerOf(callerOf(request))), mayLook);
      return reply;
    },
  });
}

function createFlow(figures: ReadLiveFigures, viewer: Viewer): EventFlow {
  let sentAt = Number.NEGATIVE_INFINITY;
  let sent = '';
  return {
    next: async () => {
      const now = performance.now();
      if (now - sentAt < EVERY_MS) return undefined;
      sentAt = now;
      const { at, ...rest } = toJson(await figures(viewer));
      const text = JSON.stringify(rest);
      if (text === sent) return undefined;
      sent = text;
      return eventText('figures', JSON.stringify({ at, ...rest }));
    },
    heartbeat: () => eventText('heartbeat', '{}'),
    end: (reason) => eventText('end', JSON.stringify({ reason })),
  };
}

/** For people who may search, and for keys of administrators. */
function mayLook(caller: Caller): void {
  requireScope(caller, isPerson(caller) ? 'indicators:read' : 'admin');
}

/** Sensors belong to accounts; administrators see those of all. */
function viewerOf(caller: Caller): Viewer {
  const isAdministrator = hasScope(caller, 'admin');
  return {
    ceiling: caller.ceiling,
    account: isAdministrator ? undefined : caller.account,
    seesQueue: isAdministrator && caller.ceiling === 'RED',
  };
}

function toJson({ at, minutes, sensors, moreSensors, queue, backlog, ...figures }: LiveFigures) {
  return {
    at: toRfc3339(at),
    ...figures,
    minutes: minutes.map((minute) => ({ ...minute, start: toRfc3339(minute.start) })),
    sensors: sensors.map(({ lastEventAt, eventsPerMinute, ...sensor }) => ({
      ...sensor,
      lastEventTime: toRfc3339(lastEventAt),
      eventsPerMinute: Math.round(eventsPerMinute * 100) / 100,
    })),
    moreSensors,
    // Left out above the bound of counting.
    backlog,
    ...(queue === undefined
      ? {}
      : {
          queue: {
            pending: queue.pending,
            dead: queue.dead,
            ...(queue.oldestQueuedAt === undefined
              ? {}
              : { oldestQueueTime: toRfc3339(queue.oldestQueuedAt) }),
          },
        }),
  };
}
