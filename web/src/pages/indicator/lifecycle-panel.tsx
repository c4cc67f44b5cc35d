// The four states with the time at which each was reached, and by whom.

import type { IndicatorState, StateTransition } from '../../api/contract.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { Time } from '../../parts/time.tsx';
import { INDICATOR } from '../../text/indicator.ts';
import { STATE_WORDS } from '../../text/words.ts';
import { Panel } from './panel.tsx';

const STATES: readonly IndicatorState[] = [
  'INDICATOR_STATE_RAW',
  'INDICATOR_STATE_SCORED',
  'INDICATOR_STATE_ENRICHED',
  'INDICATOR_STATE_VERIFIED',
];

export function LifecyclePanel({ transitions }: { readonly transitions: readonly StateTransition[] }) {
  return (
    <Panel title={INDICATOR.lifecycle}>
      <ol className="indicator-lifecycle">
        {STATES.map((state) => {
          const reached = transitions.findLast(({ to }) => to === state);
          return (
            <li key={state} className={reached === undefined ? undefined : 'reached'}>
              <b>{STATE_WORDS[state]}</b>
              {reached === undefined ? (
                <span className="soft">{INDICATOR.notYet}</span>
              ) : (
                <span className="soft">
                  <Time at={reached.at} exact /> <HostileText text={INDICATOR.by(reached.actor)} limit={80} />
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}
