// One indicator: what the service knows of it and why, and what a person does with it.

import { type CallOptions, call } from './client.ts';
import type {
  AddIndicatorNoteBody,
  DisputeIndicatorBody,
  IndicatorEvidence,
  IndicatorHistory,
  IndicatorStix,
  RelatedIndicators,
  ScoreReceipt,
  ThreatIndicator,
  VerifyIndicatorBody,
  WithdrawIndicatorBody,
} from './contract.ts';

type Signal = Pick<CallOptions, 'signal'>;

function path(id: string, act: string): string {
  return `/v1/indicators/${encodeURIComponent(id)}:${act}`;
}

export function explainIndicator(id: string, options: Signal = {}) {
  return call<ScoreReceipt>(path(id, 'explain'), options);
}

export function getEvidence(id: string, options: Signal = {}) {
  return call<IndicatorEvidence>(path(id, 'evidence'), options);
}

/** @param hops 1 or 2. */
export function getRelated(id: string, hops: number, options: Signal = {}) {
  return call<RelatedIndicators>(path(id, 'related'), { ...options, query: { hops } });
}

export function getHistory(id: string, options: Signal = {}) {
  return call<IndicatorHistory>(path(id, 'history'), options);
}

export function getStix(id: string, options: Signal = {}) {
  return call<IndicatorStix>(path(id, 'stix'), options);
}

export function confirmIndicator(id: string, body: VerifyIndicatorBody = {}) {
  return call<ThreatIndicator>(path(id, 'verify'), { body });
}

/** Takes a dispute back, too. */
export function disputeIndicator(id: string, body: DisputeIndicatorBody) {
  return call<ThreatIndicator>(path(id, 'dispute'), { body });
}

export function withdrawIndicator(id: string, body: WithdrawIndicatorBody) {
  return call<ThreatIndicator>(path(id, 'withdraw'), { body });
}

export function addNote(id: string, body: AddIndicatorNoteBody) {
  return call<ThreatIndicator>(path(id, 'note'), { body });
}
