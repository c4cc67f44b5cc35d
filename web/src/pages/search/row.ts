// A row of the result: what the table and the CSV need of an indicator. Ten thousand of them stay in memory.

import type {
  IndicatorType,
  Protocol,
  SensorType,
  Severity,
  ThreatIndicator,
  TlpMarking,
  Verdict,
} from '../../api/contract.ts';
import { verdictOf } from '../../parts/verdict.tsx';

export interface Row {
  readonly id: string;
  readonly type: IndicatorType;
  readonly value: string;
  readonly verdict: Verdict;
  readonly severity: Severity;
  readonly score: number;
  readonly state: ThreatIndicator['state'];
  readonly tlp: TlpMarking;
  readonly categories: ThreatIndicator['categories'];
  readonly protocol: Protocol;
  readonly sensorType: SensorType;
  readonly intent: string;
  readonly country: string;
  readonly asn: number | undefined;
  readonly network: string;
  readonly families: readonly string[];
  readonly techniques: readonly string[];
  readonly tags: readonly string[];
  readonly sources: readonly { readonly id: string; readonly name: string }[];
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly validUntil: string | undefined;
  readonly createdAt: string;
}

export function rowOf(indicator: ThreatIndicator): Row {
  const { enrichment } = indicator;
  return {
    id: indicator.id,
    type: indicator.type,
    value: indicator.value,
    verdict: verdictOf(indicator),
    severity: indicator.severity,
    score: indicator.confidenceScore,
    state: indicator.state,
    tlp: indicator.tlp,
    categories: indicator.categories,
    protocol: indicator.protocol,
    sensorType: indicator.sensorType,
    intent: indicator.labels.find(({ key }) => key === 'intent')?.value ?? '',
    country: enrichment?.geo?.countryCode ?? '',
    asn: enrichment?.asn?.number,
    network: enrichment?.asn?.organization ?? '',
    families: enrichment?.malwareFamilies ?? [],
    techniques: enrichment?.attackTechniques ?? [],
    tags: indicator.tags,
    sources: indicator.sources.map(({ id, name }) => ({ id, name })),
    firstSeen: indicator.firstSeen,
    lastSeen: indicator.lastSeen,
    validUntil: indicator.validUntil,
    createdAt: indicator.createdAt,
  };
}
