// What the indicator says of itself.

import type { ReactNode } from 'react';
import type { ThreatIndicator } from '../../api/contract.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { Time } from '../../parts/time.tsx';
import { INDICATOR } from '../../text/indicator.ts';
import { CATEGORY_WORDS, PROTOCOL_WORDS, SENSOR_WORDS } from '../../text/words.ts';
import { Panel } from './panel.tsx';

export function FactsPanel({ indicator }: { readonly indicator: ThreatIndicator }) {
  const { categories, protocol, sensorType, firstSeen, lastSeen, validUntil, tags, labels, enrichment } =
    indicator;
  const { geo, asn, reverseDns, malwareFamilies = [], riskScore } = enrichment ?? {};
  const place = [geo?.countryCode, geo?.city].filter((part) => part !== undefined && part !== '').join(', ');
  return (
    <Panel title={INDICATOR.facts}>
      <dl className="indicator-facts">
        <Fact name={INDICATOR.categories}>
          {categories.map((category) => CATEGORY_WORDS[category] ?? category).join(', ') || INDICATOR.none}
        </Fact>
        <Fact name={INDICATOR.firstSeen}>
          <Time at={firstSeen} exact />
        </Fact>
        <Fact name={INDICATOR.lastSeen}>
          <Time at={lastSeen} exact />
        </Fact>
        <Fact name={INDICATOR.validUntil}>
          {validUntil === undefined ? INDICATOR.noEnd : <Time at={validUntil} exact />}
        </Fact>
        <Fact name={INDICATOR.protocol}>{PROTOCOL_WORDS[protocol] ?? protocol}</Fact>
        <Fact name={INDICATOR.sensor}>{SENSOR_WORDS[sensorType] ?? sensorType}</Fact>
        {place !== '' && (
          <Fact name={INDICATOR.country}>
            <HostileText text={place} />
          </Fact>
        )}
        {asn !== undefined && (
          <Fact name={INDICATOR.network}>
            <HostileText text={`AS${asn.number} ${asn.organization}`} />
          </Fact>
        )}
        {reverseDns !== undefined && reverseDns !== '' && (
          <Fact name={INDICATOR.reverseDns}>
            <HostileText text={reverseDns.replaceAll('.', '[.]')} />
          </Fact>
        )}
        {malwareFamilies.length > 0 && (
          <Fact name={INDICATOR.families}>
            <HostileText text={malwareFamilies.join(', ')} />
          </Fact>
        )}
        {riskScore !== undefined && <Fact name={INDICATOR.risk}>{`${Math.round(100 * riskScore)}%`}</Fact>}
        {tags.length > 0 && (
          <Fact name={INDICATOR.tags}>
            <Chips texts={tags} />
          </Fact>
        )}
        {labels.length > 0 && (
          <Fact name={INDICATOR.labels}>
            <Chips texts={labels.map(({ key, value }) => (value === '' ? key : `${key}: ${value}`))} />
          </Fact>
        )}
      </dl>
    </Panel>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Chips({ texts }: { readonly texts: readonly string[] }) {
  return (
    <span className="indicator-chips">
      {texts.map((text) => (
        <span key={text} className="chip">
          <HostileText text={text} limit={60} />
        </span>
      ))}
    </span>
  );
}
