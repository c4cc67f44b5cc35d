// How deep the observed commands reach into a plant. Each step is more dangerous than those before it.

import type { ThreatIndicator } from '../../api/contract.ts';
import { intentOf } from '../../parts/standing.ts';
import { INDICATOR, INTENT_LADDER } from '../../text/indicator.ts';
import { Panel } from './panel.tsx';

export function LadderPanel({ indicator }: { readonly indicator: ThreatIndicator }) {
  const intent = intentOf(indicator);
  const deepest = INTENT_LADDER.findIndex(([name]) => name === intent);
  return (
    <Panel title={INDICATOR.ladder}>
      {deepest < 0 ? (
        <p className="soft">{INDICATOR.noIntent}</p>
      ) : (
        <ol className="indicator-ladder">
          {INTENT_LADDER.map(([name, word, says], step) => (
            <li
              key={name}
              className={step <= deepest ? `reached step-${step}` : undefined}
              aria-current={step === deepest ? 'step' : undefined}
            >
              <b>{word}</b> <span>{says}</span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
