// The data of the events of a watch, and where the contract has it.

import {
  IndicatorService,
  WatchIndicatorsResponseSchema,
} from '../gen/threatintel/v1/indicator_service_pb.ts';
import { createEncoder } from './json-encoder.ts';
import { type Route, routesOf } from './routes.ts';

/** Everything but an indicator, whose JSON is stored. */
export type WatchNotice =
  | { readonly ready: { readonly heartbeatSeconds: number } }
  | { readonly heartbeat: object }
  | { readonly removed: { readonly indicatorId: string } }
  | { readonly gap: { readonly reason: 'TOO_OLD' | 'BEHIND' | 'UNKNOWN_ID' } }
  | { readonly end: { readonly reason: 'CREDENTIAL_ENDED' | 'RIGHTS_CHANGED' | 'UNAVAILABLE' } };

/** ProtoJSON of `threatintel.v1.WatchIndicatorsResponse` on one line. */
export const encodeWatchNotice: (notice: WatchNotice) => string = createEncoder<WatchNotice>(
  WatchIndicatorsResponseSchema,
);

/** @param document the JSON of the indicator on one line. */
export function encodeWatchedIndicator(document: string): string {
  return `{"indicator":${document}}`;
}

export function watchRoute(): Route {
  const route = routesOf(IndicatorService).find(({ operationId }) => operationId === 'watchIndicators');
  if (route === undefined) throw new Error('the contract has no watch');
  return route;
}
