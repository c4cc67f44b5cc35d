// One indicator: what it is, why it is one, what was seen, and what people say of it.

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useParams } from 'wouter';
import type { ThreatIndicator } from '../../api/contract.ts';
import { getIndicator } from '../../api/indicators.ts';
import { explainIndicator, getHistory } from '../../api/one-indicator.ts';
import { ServiceError } from '../../api/service-error.ts';
import { defang } from '../../parts/defang.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { visibleText } from '../../parts/hostile-text.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { INDICATOR } from '../../text/indicator.ts';
import { PARTS } from '../../text/parts.ts';
import { EvidencePanel } from './evidence-panel.tsx';
import { FactsPanel } from './facts-panel.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { IndicatorHead } from './indicator-head.tsx';
import { LadderPanel } from './ladder-panel.tsx';
import { LifecyclePanel } from './lifecycle-panel.tsx';
import { LifetimePanel } from './lifetime-panel.tsx';
import { LinksPanel } from './links-panel.tsx';
import { PlacePanel } from './place-panel.tsx';
import { ReceiptPanel } from './receipt-panel.tsx';
import { SightingsPanel } from './sightings-panel.tsx';
import { SourcesPanel } from './sources-panel.tsx';
import { StixPanel } from './stix-panel.tsx';
import { TechniquesPanel } from './techniques-panel.tsx';
import './indicator.css';
import './pictures.css';

export function IndicatorPage() {
  const { id = '' } = useParams<{ id: string }>();
  const indicator = useQuery({
    queryKey: ['indicator', id],
    queryFn: ({ signal }) => getIndicator(id, { signal }),
  });
  const receipt = useQuery({
    queryKey: ['indicator', id, 'explain'],
    queryFn: ({ signal }) => explainIndicator(id, { signal }),
  });
  const history = useQuery({
    queryKey: ['indicator', id, 'history'],
    queryFn: ({ signal }) => getHistory(id, { signal }),
  });

  useEffect(() => {
    if (indicator.data !== undefined) document.title = INDICATOR.title(nameOf(indicator.data));
  }, [indicator.data]);

  if (indicator.isPending) return <p className="waiting">{PARTS.loading}</p>;
  if (indicator.isError) return <Failed error={indicator.error} retry={() => void indicator.refetch()} />;
  const one = indicator.data;
  return (
    <div className="page indicator">
      <IndicatorHead indicator={one} receipt={receipt.data} />
      {one.enrichment !== undefined && <Summary text={one.enrichment.aiSummary} />}
      <div className="indicator-columns">
        <div className="indicator-main">
          <ReceiptPanel receipt={receipt.data} error={receipt.error} />
          <SightingsPanel indicator={one} />
          <EvidencePanel id={id} />
          <LinksPanel key={id} of={one} />
          <TechniquesPanel ids={one.enrichment?.attackTechniques ?? []} because={receipt.data?.techniques} />
          <StixPanel id={id} updatedAt={one.updatedAt} />
        </div>
        <div className="indicator-side">
          <FactsPanel indicator={one} />
          <LifecyclePanel transitions={history.data?.transitions ?? []} />
          <LifetimePanel indicator={one} receipt={receipt.data} />
          <LadderPanel indicator={one} />
          <PlacePanel indicator={one} />
          <SourcesPanel sources={one.sources} />
          <HistoryPanel acts={history.data?.acts ?? []} error={history.error} />
        </div>
      </div>
    </div>
  );
}

function Summary({ text }: { readonly text: string }) {
  return (
    <section className="panel indicator-summary" aria-label={INDICATOR.summary}>
      <HostileText text={text} limit={2_000} />
    </section>
  );
}

function Failed({ error, retry }: { readonly error: Error; readonly retry: () => void }) {
  if (error instanceof ServiceError && error.status === 404)
    return (
      <EmptyState title={INDICATOR.notFound}>
        <p>{INDICATOR.notFoundHint}</p>
        <a href="/app/">{INDICATOR.toSearch}</a>
      </EmptyState>
    );
  return <ErrorState error={error} onRetry={retry} />;
}

/** For the title of the window, in which nobody clicks. */
function nameOf({ type, value }: ThreatIndicator): string {
  return visibleText(defang(type, value)).slice(0, 60);
}
