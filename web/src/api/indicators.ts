// Indicators: search, counts, lookup, one indicator.

import { type CallOptions, call } from './client.ts';
import type {
  AggregateIndicatorsRequest,
  AggregateIndicatorsResponse,
  LookupIndicatorsResponse,
  SearchIndicatorsRequest,
  SearchIndicatorsResponse,
  ThreatIndicator,
} from './contract.ts';

type Signal = Pick<CallOptions, 'signal'>;

export function searchIndicators(request: SearchIndicatorsRequest, options: Signal = {}) {
  return call<SearchIndicatorsResponse>('/v1/indicators/search', { ...options, body: request });
}

export function aggregateIndicators(request: AggregateIndicatorsRequest, options: Signal = {}) {
  return call<AggregateIndicatorsResponse>('/v1/indicators:aggregate', { ...options, body: request });
}

/** @param values 1 to 10,000, defanged or not. */
export function lookupIndicators(values: readonly string[], options: Signal = {}) {
  return call<LookupIndicatorsResponse>('/v1/indicators:lookup', { ...options, body: { values } });
}

export function getIndicator(id: string, options: Signal = {}) {
  return call<ThreatIndicator>(`/v1/indicators/${encodeURIComponent(id)}`, options);
}
